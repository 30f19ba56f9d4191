// Finds out whose files were handed in, and grades them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attn/teach/gradebook.hpp"
#include "files/key_folder.hpp"
#include "files/submissions.hpp"

namespace attn::app {

/// Finds an id in the name of a file; "" if there is none.
using IdInName = std::function<std::string(const std::string& name)>;

struct ClassOptions {
  bool latest = false;  ///< of several files of a student, take the one changed last
  GradeOptions grade;
};

/// Sets each file's student: the one of the roster whose id is found in its name, whose name (or
/// id) its folder from Moodle has, or whose sheet has that name; otherwise the one that the file
/// itself names; otherwise the id found in its name. Capitals in an id make no difference; it is
/// then spelled as in the roster. With one sheet for everybody and no roster, a file that names
/// nobody belongs to the student that the folder around it is named after or, without a folder, the
/// file itself. Matrices get the ids of steps on the sheet of that student.
void find_students(std::vector<HandedIn>& files, const KeyFolder& key, const CsvTable& roster,
                   const IdInName& id_in_name);

/// One row for each student of the roster (if there is none because the sheet is for everybody, for
/// each student with a file), then one for each file of a stranger. `graded` is called after each
/// student.
ClassBook class_book(const KeyFolder& key, const CsvTable& roster,
                     const std::vector<HandedIn>& files, const ClassOptions& options,
                     const std::function<void(std::size_t done, std::size_t all)>& graded);

}  // namespace attn::app
