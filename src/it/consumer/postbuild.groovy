assert new File(basedir, 'build.log').text.contains('Lines of orders: 1')
