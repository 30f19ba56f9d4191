// Files of arrays: .npy, .npz, .safetensors, PyTorch's and GGUF.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/core/format.hpp"

namespace attn {

/// Arrays in the containers of NumPy (.npy, .npz), Hugging Face (.safetensors) and PyTorch (.pt,
/// .bin).
///
/// Readers take the bytes of a whole file and its name for messages. Float16, bfloat16, float32 and
/// float64, whole numbers and booleans become float64 (exactly, but for whole numbers beyond
/// 2^53), row-major, whatever the byte order and memory order of the file. NaN and infinities pass.
/// What a header promises is checked against the bytes that follow before memory is allocated.
/// Readers throw Error (ErrorKind::Input) with the file as the place: ids "npy-format",
/// "npz-format", "safetensors-format", "torch-format", "dtype" for elements of any other type,
/// "rank" for a single number without axes.

/// An array with the name it has in its file.
struct NamedArray {
  std::string name;   ///< empty in an .npy file
  Array array;        ///< of at least one axis; axes of size 0 are possible
  std::string dtype;  ///< as the file calls it: "<f4", "BF16"; writers ignore it
};

/// Whether the array of that name is to be read. The others keep their places and names, and may be
/// of any kind.
using WantArray = std::function<bool(const std::string& name)>;
inline bool want_all(const std::string&) { return true; }

/// Called with the shape of each array before memory is taken for its numbers; it may throw.
using MakeRoom = std::function<void(const std::vector<std::ptrdiff_t>& shape)>;
inline void any_size(const std::vector<std::ptrdiff_t>&) {}

/// numpy.save: versions 1.0, 2.0 and 3.0.
NamedArray read_npy(std::string_view bytes, const std::string& file_name,
                    const MakeRoom& room = any_size);

/// numpy.savez, and if attn was built with zlib, numpy.savez_compressed of at most 128 MiB before
/// compression. In the order of the file.
std::vector<NamedArray> read_npz(std::string_view bytes, const std::string& file_name,
                                 const WantArray& wanted = want_all,
                                 const MakeRoom& room = any_size);

/// In the order of the header.
std::vector<NamedArray> read_safetensors(std::string_view bytes, const std::string& file_name,
                                         const WantArray& wanted = want_all,
                                         const MakeRoom& room = any_size);

/// torch.save of a state dict, or of dicts that hold one: their names come before those of the
/// tensors, "state_dict.w". No code is run: what needs any but PyTorch's own tensors is refused (id
/// "torch-format"), which names it. In the order of the file.
std::vector<NamedArray> read_torch(std::string_view bytes, const std::string& file_name,
                                   const WantArray& wanted = want_all,
                                   const MakeRoom& room = any_size);

/// The files of llama.cpp: F32, F16, BF16 and Q8_0 (ids "gguf-format", "dtype"). In the order of
/// the file.
std::vector<NamedArray> read_gguf(std::string_view bytes, const std::string& file_name,
                                  const WantArray& wanted = want_all,
                                  const MakeRoom& room = any_size);

/// Lists of lists of numbers in JSON, of two or three levels: [[1, 2], [3, 4]].
Array parse_array(std::string_view bytes, const std::string& file_name);

/// An array of a file whose numbers have not been read.
struct ListedArray {
  std::string name;
  std::vector<std::ptrdiff_t> shape;
  /// Its numbers, from the bytes of the same file.
  std::function<Array(std::string_view bytes)> read;
};

/// `room` is for what listing itself takes.
std::vector<ListedArray> list_npz(std::string_view bytes, const std::string& file_name,
                                  const MakeRoom& room = any_size);
std::vector<ListedArray> list_safetensors(std::string_view bytes, const std::string& file_name,
                                          const MakeRoom& room = any_size);
std::vector<ListedArray> list_torch(std::string_view bytes, const std::string& file_name,
                                    const MakeRoom& room = any_size);
std::vector<ListedArray> list_gguf(std::string_view bytes, const std::string& file_name,
                                   const MakeRoom& room = any_size);

/// A type of file that holds arrays.
struct ArrayFileType {
  std::string_view ending;  ///< ".npz"
  const char* what;         ///< "tensors (.safetensors)"
  bool several;             ///< arrays with names; such a file may be a problem
  bool (*recognises)(std::string_view bytes);
  std::vector<NamedArray> (*read)(std::string_view bytes, const std::string& file_name,
                                  const WantArray& wanted, const MakeRoom& room);
  /// In the order of the file; nullptr unless `several`.
  std::vector<ListedArray> (*list)(std::string_view bytes, const std::string& file_name,
                                   const MakeRoom& room);
};
std::span<const ArrayFileType> array_file_types();

/// The names of its arrays, without reading any.
std::vector<std::string> array_names(const ArrayFileType& type, std::string_view bytes,
                                     const std::string& file_name, const MakeRoom& room = any_size);

/// The type that a file has by its ending, or nullptr.
const ArrayFileType* array_file_type(std::string_view path);
/// The type that it has by its bytes or, if they are of none, by its ending.
const ArrayFileType* array_file_type(std::string_view bytes, std::string_view path);

/// ".npy", ".npz", ".safetensors"; or only those of files that may be a problem.
std::vector<std::string> array_file_endings(bool several_only = false);

/// What the archive of an office program is, "a spreadsheet (.xlsx)"; nullptr for other bytes.
const char* office_file(std::string_view bytes);

/// The writers give float64, little-endian, row-major, and the same bytes for the same arrays. They
/// need product(shape) numbers in each array, and names that differ. Their errors have no place,
/// and come before the first piece.

/// An array to write, whose numbers are elsewhere: one part after the other, perhaps the same one
/// several times.
struct ArrayView {
  std::string name;
  std::vector<std::ptrdiff_t> shape;
  std::vector<std::span<const double>> parts;

  std::size_t size_bytes() const;
};
std::vector<ArrayView> views_of(std::span<const NamedArray> arrays);

std::string write_npy(const Array& array);
void each_npy_piece(const ArrayView& array, const Sink& sink);

/// Not compressed. Throws Error (id "npz-format") for what needs a newer kind of zip file: more
/// than 65,534 arrays or 4 GiB, a name of more than 65,531 bytes.
std::string write_npz(std::span<const NamedArray> arrays);
void each_npz_piece(std::span<const ArrayView> arrays, const Sink& sink);

/// In the order given. Throws Error (id "safetensors-format") for the name "__metadata__".
std::string write_safetensors(std::span<const NamedArray> arrays);
void each_safetensors_piece(std::span<const ArrayView> arrays, const Sink& sink);

}  // namespace attn
