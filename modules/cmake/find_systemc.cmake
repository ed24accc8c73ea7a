# SystemC::systemc, from SystemC's own package or, as in Debian, from pkg-config.
find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(systemc REQUIRED QUIET IMPORTED_TARGET systemc tlm)
  # Not an alias: this is the name under which the installed package asks for it again.
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::systemc)
endif()
