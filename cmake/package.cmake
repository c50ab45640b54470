# The files installed by `cmake --install` and script/package. The package is for Debian 12.
include(GNUInstallDirs)

install(TARGETS roost RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES packaging/roost.toml DESTINATION /etc/roost)
install(FILES config/roost.service DESTINATION /lib/systemd/system)
install(FILES config/roost.toml config/demo-portfolio.json config/prometheus-rules.yml config/grafana-dashboard.json
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/config)
install(FILES README.md CHANGELOG.md ARCHITECTURE.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF) # stacks of slow actors need symbols
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Roost's developers <roost@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "rental back office for booking platforms
Gives booking platforms their listings, takes their bookings, and signs landlords in. An acknowledged booking
is never lost, and a night is never sold twice. Keeps its data in SQLite or in PostgreSQL.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "init-system-helpers (>= 1.54), ca-certificates")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "postgresql (>= 15), prometheus")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
