# GLPK has neither a CMake package nor a pkg-config file; it is linked by its plain name.
find_path(MUSTER_GLPK_HEADERS glpk.h DOC "GLPK, Debian's libglpk-dev")
find_library(MUSTER_GLPK_LIBRARY glpk DOC "GLPK, Debian's libglpk-dev")
mark_as_advanced(MUSTER_GLPK_HEADERS MUSTER_GLPK_LIBRARY)
if(NOT MUSTER_GLPK_HEADERS OR NOT MUSTER_GLPK_LIBRARY)
  message(FATAL_ERROR "GLPK was not found (glpk.h and the library glpk); expected Debian's package libglpk-dev")
endif()
