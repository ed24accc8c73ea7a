#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace muster {

/// Which numbers a key accepts. Infinities and NaN never are.
struct number_range {
  std::string_view words;  ///< as messages put it
  double lowest = -std::numeric_limits<double>::infinity();
  bool lowest_excluded = false;
  double highest = std::numeric_limits<double>::infinity();
  bool highest_excluded = false;

  bool holds(double x) const {
    return (lowest_excluded ? x > lowest : x >= lowest) && (highest_excluded ? x < highest : x <= highest);
  }
};

inline constexpr number_range any_number{"a number"};
inline constexpr number_range above_zero{"a number > 0", 0.0, true};
inline constexpr number_range zero_or_more{"a number >= 0", 0.0};

/// The limit that the clock of the simulation sets to a number: its range, and perhaps its step, below which only 0 is
/// accepted.
enum class clock_limit { none, range, range_and_step };

/// @name Types of a key
/// @{
struct text_key {
  std::string_view example = "text";
};
/// Letters, digits and the characters of `also`, at most longest_name of them.
struct name_key {
  std::string_view also = "_-";
};
struct number_key {
  number_range range;
  std::string_view unit = {};
  clock_limit clock = clock_limit::none;
  double most = std::numeric_limits<double>::infinity();  ///< of a number that else is in its range
};
struct integer_key {
  std::int64_t lowest, highest;
  std::string_view unit = {};
  std::string_view also = {};  ///< word that may stand in place of a number; its meaning is up to who reads it
};
/// "an integer from 1 to 9"
std::string words_of(const integer_key& type);
/// One of some words. `noun` is what they are, for messages.
struct word_key {
  std::string_view noun;
  std::vector<std::string> words;
};
struct truth_key {};
/// A value that is read by code of its own: a table, a list, a word of a catalogue.
struct other_key {
  std::string_view form;     ///< "table"
  std::string_view example;  ///< such as it stands in a scenario
};
/// @}
/// A key with a distribution.
inline constexpr other_key a_distribution{"table", "{ distribution = \"exponential\", mean = 1.0 }"};
using key_type = std::variant<text_key, name_key, number_key, integer_key, word_key, truth_key, other_key>;

struct required {};
/// A key that has no default value; `words` say what happens without it.
struct left_out {
  std::string_view words = "-";
};
using key_default = std::variant<required, left_out, std::int64_t, double, std::string>;

/// When a key has an effect. A reader reports one that is given and has none, if it is told here how to find out.
struct key_condition {
  std::string words = {};         ///< "with process = \"uniform\""; empty: always
  std::string_view beside = {};   ///< key of the same table that must be there
  std::string_view word = {};     ///< the value that it must have; empty: any
  bool other_than = false;        ///< whether it must not have this value
  std::string_view trait = {};    ///< what the document must have, see reading::traits
  std::string complaint = {};     ///< with {} for the key; empty: says which `word` was found and expected
  bool or_zero = false;           ///< whether 0 is accepted without effect
  std::string_view or_word = {};  ///< another value that it may have instead of `word`
};

/// A key: all that its reader, its reference and the command line know of it.
struct described_key {
  std::string_view name;
  key_type type;
  key_default standard;
  std::string_view help;  ///< one line
  key_condition only = {};
};

/// Keys of one table. Several may have the same path.
struct key_table {
  std::string_view path;  ///< dotted; `*` stands for the elements of an array of tables; empty: the document
  std::vector<described_key> keys;
};

/// The keys of all tables as a tree.
struct key_node {
  std::string_view name;
  std::string path;                    ///< as in key_table
  const described_key* key = nullptr;  ///< null: a table that is nothing but its keys
  std::vector<key_node> children{};    ///< in the order of their descriptions

  const key_node* find(std::string_view child) const;
};

/// @param tables must outlive the result
key_node tree_of(const std::vector<key_table>& tables);

/// The keys of a table by their descriptions: those of the schema, and those that the reader of the table adds.
/// @throws std::logic_error if a key is not described, or as something else
class table_keys {
 public:
  explicit table_keys(const key_node& schema) : schema_(&schema) {}

  /// Describes a key that the schema does not know, such as a parameter of a catalogue, or in place of the schema a key
  /// whose range, words or default depend on other keys.
  /// @param key has a name that outlives this table
  void describe(described_key key) { own_.push_back(std::move(key)); }
  /// Describes the default alone of a key of the schema, where that depends on other keys.
  void describe_default(std::string_view key, key_default standard);

 protected:
  const key_node& schema() const { return *schema_; }
  /// The added description of a key; null if there is none.
  const described_key* own(std::string_view key) const;
  const key_node& node(std::string_view key) const;
  /// The added description of a key, else the schema's; null: a table that is nothing but its keys.
  const described_key* description(std::string_view key) const;
  std::vector<std::string> known_names() const;
  template <class Type>
  const Type& described(std::string_view key) const {
    const described_key* found = description(key);
    if (const auto* type = found ? std::get_if<Type>(&found->type) : nullptr) return *type;
    throw std::logic_error("key " + std::string{key} + " is read as what it is not");
  }
  template <class Value>
  std::optional<Value> default_of(std::string_view key) const {
    const described_key* found = description(key);
    const auto* standard = found ? std::get_if<Value>(&found->standard) : nullptr;
    return standard ? std::optional<Value>{*standard} : std::nullopt;
  }

 private:
  const key_node* schema_;
  std::vector<described_key> own_;
};

}  // namespace muster
