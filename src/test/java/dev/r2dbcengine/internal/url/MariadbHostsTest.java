package dev.r2dbcengine.internal.url;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MariadbHostsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r2dbc:mariadb://a,b/shop           | a,b",
                "r2dbc:mariadb:sequential://a/shop  | a",
                "r2dbc:mariadb:SEQUENTIAL://a,b/shop| a,b",
                "r2dbc:mariadb://a,b/shop?haMode=sequential | a,b",
                "r2dbc:mariadb:loadbalance://a:1,b,c/shop | a:1,b,c b,c,a:1 c,a:1,b",
                "r2dbc:mariadb:load-balance://a,b/shop | a,b b,a"
            })
    void driverGetsHostsWithoutMode(String url, String hosts) {
        List<ConnectionFactoryOptions> given = new CopyOnWriteArrayList<>();

        MariadbHosts.factory(ConnectionFactoryOptions.parse(url), options -> {
            given.add(options);
            return new FakeDriver("MariaDB");
        });

        assertThat(given)
                .noneMatch(options -> options.hasOption(ConnectionFactoryOptions.PROTOCOL)
                        || options.toString().contains("haMode"))
                .extracting(options -> options.getValue(ConnectionFactoryOptions.HOST))
                .isEqualTo(List.of((Object[]) hosts.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"r2dbc:postgresql:failover://a:1,b:2/shop | failover", "r2dbc:h2:mem:///shop | mem"})
    void otherDriversKeepTheirProtocol(String url, String protocol) {
        List<ConnectionFactoryOptions> given = new CopyOnWriteArrayList<>();

        MariadbHosts.factory(ConnectionFactoryOptions.parse(url), options -> {
            given.add(options);
            return new FakeDriver();
        });

        assertThat(given)
                .extracting(options -> options.getValue(ConnectionFactoryOptions.PROTOCOL))
                .isEqualTo(List.of(protocol));
    }
}
