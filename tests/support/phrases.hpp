// The phrases that many messages share, written once for all tests.
// Whoever rewords one changes its source and this file.
#pragma once

#include <string>

namespace attn::testing {

inline std::string quoted(const std::string& name) { return "\"" + name + "\""; }

/// There is nothing of this kind and name: a step, a key, a mask, a command …
inline std::string no_such(const std::string& kind, const std::string& name) {
  return "there is no " + kind + " " + quoted(name);
}

inline std::string expected(const std::string& what, const std::string& found) {
  return "expected " + what + ", found " + found;
}

inline std::string expected_key(const std::string& key) {
  return "expected the key " + quoted(key);
}

inline std::string without_key(const std::string& key) {
  return expected("the key " + quoted(key), "an object without it");
}

/// An option or a setting that changes nothing here.
inline std::string idle(const std::string& option) { return option + " has no effect"; }

inline std::string no_option(const std::string& option) {
  return "has no option " + quoted(option);
}

/// A file, an argument: whatever is named in quotes.
inline std::string unreadable(const std::string& name) { return quoted(name) + " cannot be read"; }

inline std::string given_twice(const std::string& name) { return name + " is given twice"; }

inline std::string no_step_here(const std::string& id) {
  return "this problem has no step " + quoted(id);
}

inline std::string no_step_number(int number, int last) {
  return "there is no step " + std::to_string(number) + ": the steps are 1 to " +
         std::to_string(last);
}

inline std::string sheet_of(const std::string& student) {
  return "this is the sheet of " + student;
}

inline const std::string kTakesAtLeast = "the input would take at least ";

// What to do about a key or a value of a file.
inline constexpr const char* kToComment = " with \"_\" to make it a comment.";
inline constexpr const char* kKeepOne =
    "Keep one of the two, or begin the other's name with \"_\" to make it a comment.";
inline constexpr const char* kCorrectIt =
    "Correct it, or begin it with \"_\" to make it a comment.";
inline constexpr const char* kRemoveIt = "Remove it, or begin it with \"_\" to make it a comment.";
inline constexpr const char* kInBraces = "Write the keys and their values in braces.";
inline constexpr const char* kWithoutQuotes = "Write a number, without quotation marks.";

inline constexpr const char* kListWords = "Write a list such as [\"the\", \"cat\"].";
inline constexpr const char* kListNumbers = "Write a list such as [3, 4].";
inline constexpr const char* kWriteTwo = "Write a number such as 2, without quotation marks.";
inline constexpr const char* kNoFraction = "Write a number without a fraction.";
inline constexpr const char* kTrueOrFalse = "Write 1 or 0, true or false.";
inline constexpr const char* kSeed = "Write a seed such as 42.";

inline std::string number_between(const std::string& least, const std::string& most) {
  return "Write a number from " + least + " to " + most + ".";
}

inline std::string one_list_per_row(const std::string& example) {
  return "Write one list for each row, such as " + example + ".";
}

inline std::string comma_or_point(const std::string& found, const std::string& meant) {
  return "If " + found + " is one number, write it with a point: " + meant + ".";
}

inline std::string comment_or_one_of(const std::string& keys) {
  return "Use one of " + keys + "; or begin the key" + kToComment;
}

// What kinds of values are called.
inline constexpr const char* kStrings = "a list of strings";
inline constexpr const char* kWholeNumbers = "a list of whole numbers";
inline constexpr const char* kMaskList = "a mask or a list of masks";
inline constexpr const char* kAnObject = "an object such as ";
inline constexpr const char* kNumberList = "a list of numbers";
inline constexpr const char* kScales = "\"1/sqrt(d_k)\", \"none\" or a number";
inline constexpr const char* kFloat64 = "a number that float64 can hold";
inline constexpr const char* kTooDeep = "lists and objects are nested more than 64 deep";
inline constexpr const char* kSameLength = " If not, make both rows the same length.";
inline constexpr const char* kNoRegularFile = "not a regular file";
inline constexpr const char* kComesLater = "the key comes later";
inline constexpr const char* kUnderAllowed =
    "A matrix of 0 and 1 belongs under the key \"allowed\"; there, 1 means \"may attend\".";
inline constexpr const char* kBeginWith = "Begin with the first: ";
inline constexpr const char* kFillIn = "Fill in the blanks";
inline constexpr const char* kAllSteps = "All steps together have ";
inline constexpr const char* kAnArray = "one NumPy array (.npy)";

inline std::string whole_number(const std::string& least, const std::string& most) {
  return "a whole number from " + least + " to " + most;
}

inline std::string version_one(const std::string& found) {
  return expected("format version 1", quoted(found));
}

inline std::string over_limit(const std::string& limit) { return "but the limit is " + limit; }

inline const std::string kProblemTakes = "the problem would take ";

inline std::string key_twice(const std::string& key) {
  return expected("each key once", "the key " + quoted(key) + " twice");
}

inline std::string whole_numbers(const std::string& key) {
  return "expected " + quoted(key) + " as a list of whole numbers, found ";
}

inline std::string header_of(const std::string& size) { return "a header of " + size; }

inline std::string after_header(const std::string& bytes, const std::string& found) {
  return expected(bytes + " bytes after the header", found);
}

/// An array that is too large for any memory.
inline std::string unfit(const std::string& shape) {
  return expected("an array that fits into memory", "the shape " + shape);
}

inline std::string no_folder(const std::string& name) {
  return "there is no folder " + quoted(name);
}

// Models and their weights.
inline std::string missing_tensors(const std::string& names) {
  return " that the weights do not have: " + names;
}

inline std::string unlike_weights(const std::string& found) {
  return "but the weights have " + found;
}

inline std::string does_not_read(const std::string& kind, const std::string& key) {
  return "a model of kind " + kind + " does not read " + quoted(key);
}

inline std::string reads_what_is_missing(const std::string& kind, const std::string& key) {
  return "a model of kind " + kind + " reads " + quoted(key) + ", which is missing";
}

inline std::string should_have_shape(const std::string& tensor, const std::string& shape) {
  return tensor + " should have the shape " + shape;
}

inline std::string no_activation(const std::string& name) {
  return "there is no activation called " + quoted(name);
}

inline std::string no_word(int index) { return "there is no word " + std::to_string(index); }

inline std::string unfit_rows(const std::string& has, int wanted) {
  return has + ", but it multiplies rows of " + std::to_string(wanted) + " numbers";
}

inline std::string not_in_vocabulary(const std::string& word) {
  return quoted(word) + " is not in the vocabulary";
}

inline std::string foreign_names(const std::string& library) {
  return "the weights have the names of " + library;
}

inline constexpr const char* kNotComputed = "attn does not compute ";
inline constexpr const char* kAsInConv1D =
    " and are stored in × out, as in its Conv1D; attn does not transpose them";

inline std::string belongs_to_position(const std::string& key) {
  return key + " is a parameter of ";
}

// Masks and hidden cells.
inline constexpr const char* kFillMakesThem = ", as the fill makes them";
inline constexpr const char* kSomeWeight = ", but still given some weight";
inline constexpr const char* kWhereHidden = " where mask = 0";  // in formulas
inline constexpr const char* kMaskCells = "1 = may attend, 0 = hidden";

inline std::string hides_nothing(const std::string& mask, const std::string& whom,
                                 const std::string& matrix) {
  return "the mask " + mask + " hides nothing: no " + whom +
         " is called <pad> or [PAD], and no row of " + matrix + " is all zero";
}

inline std::string in_doubt(const std::string& token) {
  return "the token " + quoted(token) + " occurs more than once";
}

inline std::string name_by_index(const std::string& indices) {
  return "Name it by its index: " + indices + ".";
}

inline std::string one_step_not(const std::string& what, const std::string& count) {
  return what + " shows one step, not " + count;
}

// Exercises: what becomes of a file, and what is said about it.
inline constexpr const char* kTwoAnswers = "blanks that have two answers earn nothing";
inline constexpr const char* kTwoColumns = "the table has two columns ";
inline constexpr const char* kNotCounted = " files are no sheet and not counted: ";
inline std::string no_step_of_sheet(const std::string& word) {
  return quoted(word) + " is no step of the sheet";
}
inline constexpr const char* kNothingHandedIn = "nothing was handed in";
inline constexpr const char* kNoSheet = "no sheet was handed in";
inline constexpr const char* kNotGradable = "the file cannot be graded";
inline constexpr const char* kNotYours = "not graded: the sheet is not yours";
inline constexpr const char* kEarnsNothing = "It earns nothing.";
inline constexpr const char* kAllRight = "Everything is right.";
inline constexpr const char* kNothingWrong = "Nothing is wrong so far";
inline constexpr const char* kAllCheckedRight = "Everything that was checked is right";
inline constexpr const char* kFollow = " follow from your earlier steps";
inline constexpr const char* kFollows = " follows from your earlier steps";
inline constexpr const char* kWithComma = "with a decimal comma: 0,5 is read as 0.5";

inline std::string follows(const std::string& step) {
  return "what in " + step + kFollows + " earns no points";
}

inline std::string made_for(const std::string& exercise) {
  return "it was made for the exercise " + quoted(exercise);
}

inline std::string excused(const std::string& points) { return "excused in place of " + points; }

inline std::string by_hand(const std::string& points, const std::string& before) {
  return points + (points == "1" ? " point" : " points") + " by hand in place of " + before;
}

inline std::string unseen(const std::string& mistake) {
  return mistake + " cannot be seen in this exercise: ";
}

inline constexpr const char* kCannotOccur = "it cannot occur in this problem";

inline std::string a_sheet(const std::string& of) { return "a sheet of " + of; }

inline std::string guessed(const std::string& guess, const std::string& percent,
                           const std::string& most) {
  return guess + " scores " + percent + "% of the points, and " + most + "% is the most";
}

inline std::string not_shown(const std::string& mistake) {
  return "the blanks do not show " + mistake;
}

// What a report shows of a mistake, one after the other.
inline constexpr const char* kLikelyCause = "Likely cause";
inline constexpr const char* kAlsoExplains = "Also explains";
inline constexpr const char* kAskYourself = "Ask yourself";

inline constexpr const char* kNotQuite = "Not quite.";
inline constexpr const char* kEnterGoesOn = "Enter goes on, q ends: ";
inline constexpr const char* kSecondPart = " And the second part?";
inline constexpr const char* kNotTrueHere = "Not with these numbers: ";
inline constexpr const char* kFirstTitle = "One head: where does each word look?";
inline constexpr const char* kNotScaled = "scores not scaled";
inline constexpr const char* kNotScaledSays = "The scores are not divided by √d_k.";
inline constexpr const char* kNotScaledAsks =
    "What happens to the scores between Q·Kᵀ and softmax?";

inline std::string built_in(const std::string& code) {
  return "A known mistake is built in (" + code + ")";
}

inline std::string not_called(const std::string& name) {
  return "no step is called " + quoted(name);
}

// Options that change nothing, and why.
inline constexpr const char* kNoJson = "no JSON is written";
inline constexpr const char* kNoDocument = "no document is asked for";
inline constexpr const char* kForGradescope = "it is for --format gradescope";
inline constexpr const char* kOtherLesson = "it is not for the lesson ";
inline constexpr const char* kNoCell = "there is no --cell";

}  // namespace attn::testing
