// Names that learning platforms give to what students hand in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

/// The folder into which Moodle puts what one student handed in,
/// "Ann Lee_17_assignsubmission_file_", wherever it is in the path; "" if there is none.
std::string moodle_folder(std::string_view path);

/// The name of a person that such a folder begins with: "Ann Lee".
std::string name_in_folder(std::string_view folder);

/// Where the ids end that Canvas puts in front of the name of an upload, by which it finds whose
/// feedback a file is: "lee_1234_98765" in "lee_1234_98765_s001.json", also "lee_LATE_1234_98765"
/// and "anon_x7Yz2_98765"; 0 for other names.
std::size_t end_of_ids(std::string_view name);

/// Whether it is what a student typed into the platform, which keeps it as a page beside the files.
bool is_online_text(std::string_view path);

/// What the student called a file: its name without folders, which may have names of persons, and
/// without the ids of Canvas.
std::string own_name(std::string_view path);

}  // namespace attn
