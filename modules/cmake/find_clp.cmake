# Clp has no CMake package. Its pkg-config file also asks for what only a static Clp is linked with.
find_path(MUSTER_CLP_HEADERS coin/Clp_C_Interface.h DOC "Clp, Debian's coinor-libclp-dev")
find_library(MUSTER_CLP_LIBRARY Clp DOC "Clp, Debian's coinor-libclp-dev")
mark_as_advanced(MUSTER_CLP_HEADERS MUSTER_CLP_LIBRARY)
if(NOT MUSTER_CLP_HEADERS OR NOT MUSTER_CLP_LIBRARY)
  message(FATAL_ERROR "Clp was not found (coin/Clp_C_Interface.h and the library Clp); "
    "expected Debian's package coinor-libclp-dev")
endif()
