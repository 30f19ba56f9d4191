// The files of a teacher: exercises, keys, rosters and other tables.
#include "attn/io/sheet_file.hpp"
#include "fuzz.hpp"

using namespace attn;

void try_input(std::string_view bytes) {
  fuzz::attempt([&] { parse_exercise_spec(bytes, "spec.json"); });
  fuzz::attempt([&] {
    const ExerciseKey key = parse_exercise_key(bytes, "exercise.json");
    const std::string json = exercise_key_json(key);
    fuzz::require(exercise_key_json(parse_exercise_key(json, "again.json")) == json,
                  "a key comes back as it was");
  });
  fuzz::attempt([&] { parse_lock(bytes, "roster.lock.csv"); });
  fuzz::attempt([&] { sheet_name_in(bytes, "sheet.csv"); });
  fuzz::attempt([&] { parse_roster(bytes, "roster.csv"); });
  const CsvTable table = parse_csv(bytes, "table.csv");
  const CsvTable again = parse_csv(csv_text(table), "again.csv");
  fuzz::require(again.header == table.header && again.rows == table.rows, "a table comes back");
}
