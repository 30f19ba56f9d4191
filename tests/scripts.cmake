# The tests in other languages: a name, a script, and what it is given. Each is registered wherever tests are; without
# what runs it, ctest says that it was skipped, as it does where a script ends with 77.
find_program(ATTN_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(ATTN_NODE NAMES node nodejs)
set(ATTN_NODE_MODULES "" CACHE PATH "Folder with axe-core, katex, @citolab; empty: without them")

set(attn $<TARGET_FILE:attn_main>)
set(tensors $<TARGET_FILE:attn_tensor_tool>)
set(tokens $<TARGET_FILE:attn_tokens_tool>)

function(attn_script NAME SCRIPT)
  set(by ATTN_NODE)
  if(SCRIPT MATCHES "\\.py$")
    set(by ATTN_SYSTEM_PYTHON)
  endif()
  if(${by})
    add_test(NAME ${NAME} COMMAND ${${by}} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${SCRIPT} ${ARGN})
    set_tests_properties(${NAME} PROPERTIES SKIP_RETURN_CODE 77)
  else()
    add_test(NAME ${NAME} COMMAND ${CMAKE_COMMAND} -E echo "skipped: no ${by}")
    set_tests_properties(${NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  endif()
endfunction()

# The script that changes words, on examples.
attn_script(reword reword.py --check)
# Whether each change of tests/mutants can be made; whether a test notices it, .github/workflows/mutants.yml tries.
attn_script(mutants mutants/run.py --check)
attn_script(mutants_part mutants/run.py --check --part 0/8)
if(ATTN_SYSTEM_PYTHON)
  set_tests_properties(mutants_part PROPERTIES PASS_REGULAR_EXPRESSION "0/8: a part is")
endif()
# The schemas, against what must be valid and what must not.
attn_script(schema app/schema_test.py ${attn} ${PROJECT_SOURCE_DIR})
# A teacher's term: docs/for-teachers.md alone, its archive graded again, and what is left after its last step.
attn_script(term app/term_test.py ${attn} ${PROJECT_SOURCE_DIR})
# Seals, tables and Moodle's questions, read by somebody else's libraries.
attn_script(exercise app/exercise_test.py ${attn})
# A class with two of every kind of file, and four smaller ones, graded by numpy too, and as Moodle grades.
attn_script(department app/department_test.py ${attn} ${PROJECT_SOURCE_DIR})
# QTI packages by a strict parser, and Gradescope's archive, unpacked and run; the packages in somebody else's player.
attn_script(qti app/qti_test.py ${attn})
attn_script(qti_player page/player_test.mjs ${attn} ${ATTN_NODE_MODULES})
# Markdown as pandoc, cmark and Python-Markdown read it, LaTeX as pdflatex, formulas as KaTeX, pictures as XML, pages in a browser.
attn_script(markdown app/markdown_test.py ${attn})
attn_script(latex app/latex_test.py ${attn} ${PROJECT_SOURCE_DIR})
attn_script(katex app/katex_test.cjs ${attn} ${ATTN_NODE_MODULES}/katex)
attn_script(svg app/svg_test.py ${attn})
attn_script(page page/page_test.mjs ${attn} ${ATTN_NODE_MODULES}/axe-core/axe.min.js)
# attn explain --pause and attn check --watch at a pseudo-terminal.
attn_script(pause app/pause_test.py ${attn})
# What PyTorch computes here, and checkpoints of every family, made now; numbers recorded from it are in tests/reference.
attn_script(pytorch app/pytorch_test.py ${attn})
attn_script(families app/families_test.py ${attn})
# The bugs of docs/for-engineers.md, each in the module shown there.
attn_script(port app/port_test.py ${attn} ${PROJECT_SOURCE_DIR})
attn_script(bugs app/bugs_test.py ${attn} ${PROJECT_SOURCE_DIR})
# What NumPy writes and what attn writes, both ways. PyTorch's files: from Python's pickle, and from PyTorch.
attn_script(numpy support/numpy_roundtrip.py ${tensors})
attn_script(torch_files app/torch_files_test.py ${tensors})
# GGUF files, against the models that they were made from; their tokenizers, against the tokenizer.json.
attn_script(gguf_files app/gguf_files_test.py ${attn} ${tensors} ${PROJECT_SOURCE_DIR})
attn_script(gguf_tokenizer app/gguf_tokenizer_test.py ${attn} ${PROJECT_SOURCE_DIR} ${ATTN_NODE_MODULES})
# The ids that npm's tokenizers give, with published tokenizers.
attn_script(tokenizers app/tokenizers_test.mjs ${tokens} ${ATTN_NODE_MODULES})
