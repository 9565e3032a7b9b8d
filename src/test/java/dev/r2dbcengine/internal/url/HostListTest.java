package dev.r2dbcengine.internal.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.EngineOpenException;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {

    private static EngineUrl parse(String url) {
        return EngineUrl.parse(url, "unnamed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r2dbc:postgresql:failover://a,b/shop                          | a:5432, b:5432 | false | PREFER_PRIMARY",
                "r2dbc:postgresql:failover://a:1,b:2/shop?targetServerType=any | a:1, b:2       | false | ANY",
                "r2dbc:postgresql://a,b:2/shop?targetServerType=primary        | a:5432, b:2    | false | PRIMARY",
                "r2dbc:postgresql://a,b/shop?targetServerType=MASTER           | a:5432, b:5432 | false | PRIMARY",
                "r2dbc:postgresql://a,b/shop?targetServerType=prefer-secondary | a:5432, b:5432 | false | PREFER_SECONDARY",
                "r2dbc:postgresql://a,b/shop?loadBalanceHosts=true             | a:5432, b:5432 | true  | ANY",
                "r2dbc:postgresql:failover://a/shop?targetServerType=secondary | a:5432         | false | SECONDARY",
                "r2dbc:mariadb:sequential://a,b/shop                           | a:3306, b:3306 | false | PREFER_PRIMARY",
                "r2dbc:mariadb:SEQUENTIAL://A,b/shop                           | a:3306, b:3306 | false | PREFER_PRIMARY",
                "r2dbc:mariadb://a,b/shop?haMode=sequential                    | a:3306, b:3306 | false | PREFER_PRIMARY",
                "r2dbc:mariadb:load-balance://a:1,b,c/shop                     | a:1, b:3306, c:3306 | true | ANY",
                "r2dbc:mysql://a:1,b/shop                                      | a:1, b:3306    | false | PREFER_PRIMARY"
            })
    void hostsAreRead(String url, String hosts, boolean balanced, HostList.Target target) {
        HostList list = Objects.requireNonNull(HostList.of(parse(url).options()));

        assertThat(list).hasToString(hosts);
        assertThat(list.balanced()).isEqualTo(balanced);
        assertThat(list.target()).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r2dbc:postgresql://a/shop",
                "r2dbc:postgresql:failover://a/shop",
                "r2dbc:mariadb:sequential://a/shop",
                "r2dbc:mariadb:loadbalance://a/shop",
                "r2dbc:h2:mem:///shop",
                "r2dbc:other://a,b/shop"
            })
    void singleHostIsLeftToDriver(String url) {
        assertThat(HostList.of(parse(url).options())).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r2dbc:postgresql:failover://a:5432,b/shop?targetServerType=primary | r2dbc:postgresql://A,b:5432/shop?targetServerType=PRIMARY",
                "r2dbc:postgresql:failover://a/shop                | r2dbc:postgresql://a:5432/shop",
                "r2dbc:postgresql://a,b/shop?targetServerType=prefer_primary | r2dbc:postgresql:failover://a,b/shop",
                "r2dbc:mariadb:sequential://a,b/shop               | r2dbc:mariadb://a:3306,b:3306/shop",
                "r2dbc:mariadb:loadbalance://a,b/shop              | r2dbc:mariadb://a,b/shop?haMode=load-balance"
            })
    void equalListsAreOneEngine(String one, String other) {
        assertThat(parse(one).key()).isEqualTo(parse(other).key());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "r2dbc:postgresql://a,b/shop | r2dbc:postgresql://b,a/shop",
                "r2dbc:postgresql://a,b/shop | r2dbc:postgresql://a,b/shop?targetServerType=secondary",
                "r2dbc:mariadb://a,b/shop    | r2dbc:mariadb:loadbalance://a,b/shop"
            })
    void differentListsAreDifferentEngines(String one, String other) {
        assertThat(parse(one).key()).isNotEqualTo(parse(other).key());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r2dbc:postgresql:failover://u:s3cret@a:1,b/shop?targetServerType=secondary&hostRecheckTime=PT1S&sslMode=require",
                "r2dbc:postgresql://u:s3cret@a:1,b/shop?loadBalanceHosts=true&sslMode=require"
            })
    void driverGetsOneHost(String url) {
        ConnectionFactoryOptions options = parse(url).options();
        HostList list = Objects.requireNonNull(HostList.of(options));

        String one = "r2dbc:postgresql://u:s3cret@%s/shop?sslMode=require";
        assertThat(list.options(0, options))
                .isEqualTo(parse(one.formatted("a:1")).options());
        assertThat(list.options(1, options))
                .isEqualTo(parse(one.formatted("b:5432")).options());
    }

    @Test
    void unknownTargetIsRejected() {
        assertThatThrownBy(() -> parse("r2dbc:postgresql://u:s3cret@a,b/shop?targetServerType=leader"))
                .isInstanceOf(EngineOpenException.class)
                .hasMessageContaining(
                        "its option targetServerType has the value 'leader', and must be any, primary, secondary,"
                                + " preferPrimary or preferSecondary")
                .hasMessageNotContaining("s3cret");
    }
}
