#pragma once
// Nix source to be inserted, before it is known where: a text in which packages
// and functions of the package set stand as references. Only the place can say
// how they are spelled there ("self.six", "py.six", "six").

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace autopin::fix {

/// Something of a package set, by attribute.
struct SetRef {
  enum class From {
    python,  ///< The set of the interpreter in question.
    top      ///< The whole package set, `pkgs`.
  };
  From from = From::top;
  std::string attribute;
  bool operator==(const SetRef&) const = default;
};

class NixText {
 public:
  NixText() = default;
  NixText(std::string text) {
    add(std::move(text));
  }  // NOLINT: a literal is one
  NixText(const char* text) : NixText(std::string(text)) {}      // NOLINT
  NixText(SetRef ref) { pieces_.emplace_back(std::move(ref)); }  // NOLINT

  NixText& operator+=(const NixText& other);
  friend NixText operator+(NixText left, const NixText& right) {
    left += right;
    return left;
  }

  /// How a place spells a reference; nothing where it cannot.
  using Speller = std::function<std::optional<std::string>(const SetRef&)>;
  std::optional<std::string> spell(const Speller& speller) const;

  /// All references in it, each once.
  std::vector<SetRef> references() const;
  bool empty() const { return pieces_.empty(); }
  /// Every line but the first moved right by `prefix`.
  NixText indented(std::string_view prefix) const;
  /// Lines (each ended) as the inside of { }: "\n", then each line moved right.
  NixText as_block(std::string_view prefix) const;
  /// True where it is more than one line.
  bool has_lines() const;
  bool operator==(const NixText&) const = default;

 private:
  void add(std::string text);
  std::vector<std::variant<std::string, SetRef>> pieces_;
};

NixText python_ref(std::string attribute);
NixText top_ref(std::string attribute);

/// Every line but the first moved right by `prefix`.
std::string indented(std::string_view text, std::string_view prefix);

}  // namespace autopin::fix
