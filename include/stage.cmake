# Writes the headers as they are installed; does what `stage.py headers` does, for machines without Python.

# strata_stage_headers(<source root> <folder> <variable>): writes strata/*.hpp and strata/detail/... into the folder, and
# sets the variable to the list of the headers that it read.
function(strata_stage_headers root folder variable)
  file(GLOB waiting ${root}/include/strata/*.hpp ${root}/include/strata/json/json.hpp
    ${root}/include/strata/tbb/tbb_executor.hpp ${root}/include/strata/zstd/zstd.hpp)
  set(read_headers)
  while(waiting)
    list(POP_FRONT waiting header)
    list(APPEND read_headers ${header})
    strata_stage_header(${root} ${folder} ${header} included)
    list(APPEND waiting ${included})
    list(REMOVE_DUPLICATES waiting)
    list(REMOVE_ITEM waiting ${read_headers})
  endwhile()
  set(${variable} ${read_headers} PARENT_SCOPE)
endfunction()

# Writes one header, and sets the variable to the headers that it includes by relative paths.
function(strata_stage_header root folder header variable)
  file(READ ${header} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" lines "${text}")
  get_filename_component(from ${header} DIRECTORY)
  set(included)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" name "${line}")
    get_filename_component(target ${name} ABSOLUTE BASE_DIR ${from})
    list(APPEND included ${target})
    strata_installed_name(${root} ${target} name)
    string(REPLACE "${line}" "#include <${name}>" text "${text}")
  endforeach()
  strata_installed_name(${root} ${header} name)
  file(CONFIGURE OUTPUT ${folder}/${name} CONTENT "${text}" @ONLY)
  set(${variable} ${included} PARENT_SCOPE)
endfunction()

# Sets the variable to the name by which an installed header is included.
function(strata_installed_name root header variable)
  file(RELATIVE_PATH path ${root} ${header})
  if(path MATCHES "^include/")
    string(REGEX REPLACE "^include/" "" path ${path})
  else()
    set(path strata/detail/${path})
  endif()
  set(${variable} ${path} PARENT_SCOPE)
endfunction()
