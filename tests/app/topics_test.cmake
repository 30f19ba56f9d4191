# What is between the marks of a topic is the topic; wrong marks stop the build with a sentence.
# Usage: cmake -P topics_test.cmake
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/../../app/help/topics.cmake)
if(DEFINED DOCS)
  attn_topics(${DOCS}/made ${DOCS} masks why)
  return()
endif()

set(DOCS ${CMAKE_CURRENT_BINARY_DIR}/topics_test)
set(masks "# Page\n\n<!-- attn help masks: who; what [1]\\n -->\nA \\`x\\`; [b](c.md)\n\n```\n$ attn a\n$ attn b\n```\n\n```\n$ attn c\nout\n```\n<!-- end -->\n")
set(why "\n<!-- attn help why: reasons -->\nBecause.\n<!-- end -->\n")

# expect(FOUND MASKS WHY): with these pages, what is made of the topic masks, or an error, has FOUND in it.
function(expect FOUND MASKS WHY)
  file(REMOVE_RECURSE ${DOCS})
  file(WRITE ${DOCS}/masks.md "${MASKS}")
  file(WRITE ${DOCS}/why.md "${WHY}")
  execute_process(COMMAND ${CMAKE_COMMAND} -D DOCS=${DOCS} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    ERROR_VARIABLE text RESULT_VARIABLE failed)
  if(NOT failed)
    file(READ ${DOCS}/made/masks.md text)
  else()
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
  endif()
  string(FIND "${text}" "${FOUND}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "expected in it: ${FOUND}\nfound: ${text}")
  endif()
endfunction()

expect("# attn help masks - who; what [1]\\n\n\nA \\`x\\`; [b](c.md)\n\n```\nattn a\nattn b\n```\n\n```\n$ attn c\nout\n```\n" "${masks}" "${why}")
expect("out\n```\n\nMore.\n" "${masks}Not this.\n\n<!-- attn help masks -->\nMore.\n<!-- end -->\n${why}" "\n")
expect("attn help why: no page in docs has <!-- attn help why: what it is about -->." "${masks}" "\n")
expect("docs/why.md, attn help why: it begins with <!-- attn help why: what it is about -->." "${masks}" "\n<!-- attn help why -->\nBecause.\n<!-- end -->\n")
expect("docs/why.md, attn help masks: it begins in docs/masks.md, too." "${masks}" "${why}${masks}")
expect("docs/why.md, attn help why: a topic ends with the line <!-- end -->." "${masks}" "\n<!-- attn help why: reasons -->\nBecause.\n")
expect("docs/masks.md, attn help masks: a topic ends with the line <!-- end -->." "\n<!-- attn help masks: a -->\n<!-- attn help why: b -->\n<!-- end -->\n" "\n")
expect("docs/why.md, attn help wy: there is no such topic in app/CMakeLists.txt." "${masks}" "\n<!-- attn help wy: reasons -->\nBecause.\n<!-- end -->\n")
