//! The results of expressions for a cluster.

use super::ask;

fn all(expected: bool, texts: &[&str]) {
    for text in texts {
        assert_eq!(ask(text).holds, expected, "{text}");
    }
}

#[test]
fn expressions_that_are_true_for_the_cluster() {
    all(
        true,
        &[
            "managedCluster.metadata.name == 'c1'",
            "managedCluster.metadata['name'] == \"c1\"",
            "managedCluster.metadata.labels['env'] in ['prod', 'stage']",
            "has(managedCluster.metadata.labels.env) && !has(managedCluster.metadata.labels.gpu)",
            "'env' in managedCluster.metadata.labels",
            "managedCluster.spec.hubAcceptsClient",
            "managedCluster.spec.leaseDurationSeconds == 60",
            "managedCluster.spec.leaseDurationSeconds * 2 >= 120",
            "managedCluster.status.clusterClaims.exists(c, c.name == 'region' && c.value.startsWith('eu'))",
            "managedCluster.status.clusterClaims.exists_one(c, c.name == 'id')",
            "managedCluster.status.clusterClaims.all(c, size(c.value) > 0)",
            "managedCluster.status.clusterClaims.filter(c, c.name == 'id')[0].value == '7'",
            "managedCluster.status.clusterClaims.map(c, c.name) == ['region', 'id']",
            "managedCluster.status.clusterClaims.map(c, c.name == 'id', int(c.value)).sum() == 7",
            "managedCluster.scores('default').filter(s, s.name == 'cpu').all(s, s.value > 9)",
            "managedCluster.scores('default').map(s, s.value).max() == 10",
            "managedCluster.metadata.labels.tags.parseJSON().gpu[1] == 2.5",
            "managedCluster.metadata.labels.?gpu.orValue('none') == 'none'",
            "managedCluster.metadata.labels[?'env'].hasValue()",
        ],
    );
}

#[test]
fn a_false_or_failing_expression_does_not_hold() {
    all(
        false,
        &[
            "managedCluster.metadata.name == 'c2'",
            "managedCluster.metadata.labels['gpu'] == 'yes'",
            "managedCluster.metadata.nosuch",
            "managedCluster.metadata.name",
            "managedCluster.status.clusterClaims[2].value == ''",
            "managedCluster.status.clusterClaims[-1].value == ''",
            "managedCluster.scores('absent').size() == 0",
            "managedCluster.metadata.labels.env.parseJSON() == null",
            "1 / 0 == 0",
            "9223372036854775807 + 1 > 0",
            "-9223372036854775808 - 1 < 0",
            "int('x') == 0",
            "managedCluster.metadata.labels.gpu == 'x' || 1 == 2",
            "semver('v1.30.6') == semver('v1.30.6')",
        ],
    );
}

#[test]
fn a_failure_matters_only_if_it_decides_the_result() {
    all(true, &["managedCluster.metadata.nosuch == 1 || true", "true || managedCluster.metadata.nosuch == 1"]);
    all(true, &["!(managedCluster.metadata.nosuch == 1 && false)", "[1, 2].exists(x, x / (x - 1) == 2)"]);
    all(false, &["managedCluster.metadata.nosuch == 1 && true", "true ? managedCluster.metadata.nosuch == 1 : true"]);
}

#[test]
fn the_standard_library_works() {
    all(
        true,
        &[
            "dyn(1) == 1.0 && dyn(1u) == 1 && dyn(2u) > dyn(1.5) && 7 % 3 == 1 && -7 / 2 == -3",
            "'abc' + 'd' == 'abcd' && [1] + [2] == [1, 2] && b'a' + b'b' == b'ab'",
            "size('héllo') == 5 && 'héllo'.size() == 5 && size({'a': 1}) == 1",
            "'hello'.contains('ell') && 'hello'.endsWith('lo') && 'hello'.matches('^h.*o$')",
            "string(1) == '1' && double('1.5') == 1.5 && uint(3) == 3u && bool('true') && int(2.9) == 2",
            "type(1) == int && type('') == string && type([]) == list",
            "timestamp('2026-01-01T00:00:00Z') + duration('24h') == timestamp('2026-01-02T00:00:00Z')",
            "timestamp('2026-03-01T00:00:00Z').getDayOfYear() == 59",
            "timestamp('2026-01-01T00:00:00Z').getHours('Europe/Berlin') == 1",
            "duration('90m').getHours() == 1 && duration('1h') > duration('59m')",
            "{'a': 1, 'b': 2}.all(k, k != 'c') && {1: 2}[1] == 2",
            "r'\\d' == '\\\\d' && \"\\u00e9\" == 'é' && '''a\nb''' == 'a\\nb'",
            "0x10 == 16 && 1e3 == 1000.0 && !false && -(-1) == 1",
        ],
    );
}

#[test]
fn the_string_and_kubernetes_libraries_work() {
    all(
        true,
        &[
            "'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && 'x'.charAt(0) == 'x'",
            "'hello'.substring(1, 3) == 'el' && 'Hello'.lowerAscii() == 'hello' && ' a '.trim() == 'a'",
            "'hello'.replace('l', 'L', 1) == 'heLlo' && 'hello'.indexOf('l') == 2 && 'hello'.lastIndexOf('l') == 3",
            "'%s is %d'.format(['a', 1]) == 'a is 1' && strings.quote('a') == '\"a\"'",
            "[1, 2, 3].isSorted() && [3, 1].min() == 1 && [1, 2, 1].lastIndexOf(1) == 2",
            "'abc 123'.find('[0-9]+') == '123' && '1 2'.findAll('[0-9]') == ['1', '2']",
            "url('https://a.b:80/c?d=e').getHostname() == 'a.b' && isURL('https://a') && !isURL('a b')",
            "quantity(managedCluster.status.allocatable['cpu']).isGreaterThan(quantity('3'))",
            "quantity('1Gi').asInteger() == 1073741824 && quantity('500m').add(quantity('0.5')).compareTo(quantity('1')) == 0",
            "semver(managedCluster.metadata.labels['version']).isLessThan(semver('1.31.0'))",
            "semver('1.2.3').minor() == 2 && !isSemver('v1.2.3') && isSemver('1.2.3-rc.1+b')",
            "ip('10.0.0.1').family() == 4 && isIP('::1') && cidr('10.0.0.0/8').containsIP('10.1.2.3')",
            "format.named('dns1123Label').value().validate('A-').hasValue()",
        ],
    );
}

#[test]
fn versions_are_parsed_and_ordered_as_upstream() {
    all(
        true,
        &[
            "semver('1.0.0-alpha').isLessThan(semver('1.0.0-alpha.1'))",
            "semver('1.0.0-alpha.1').isLessThan(semver('1.0.0-alpha.beta'))",
            "semver('1.0.0-2').isLessThan(semver('1.0.0-11')) && semver('1.0.0-11').isLessThan(semver('1.0.0-a'))",
            "semver('1.0.0-rc.1').isLessThan(semver('1.0.0')) && semver('1.0.0-B').isLessThan(semver('1.0.0-a'))",
            "semver('1.0.0+1') == semver('1.0.0+2') && semver('1.0.0+1').compareTo(semver('1.0.0')) == 0",
            "isSemver('1.0.0-0a.-1') && isSemver('1.0.0-a-b+001.a-b') && isSemver('18446744073709551615.0.0')",
            "isSemver('1.0.0-18446744073709551615') && !isSemver('1.0.0-18446744073709551616')",
            "!isSemver('18446744073709551616.0.0') && !isSemver('1.0') && !isSemver('1.0.0.0') && !isSemver('01.0.0')",
            "!isSemver('1.0.0-01') && !isSemver('1.0.0-') && !isSemver('1.0.0+') && !isSemver('1.0.0-a..b')",
            "!isSemver('1.0.0+a+b') && !isSemver('1.0.0-a_b') && !isSemver(' 1.0.0') && !isSemver('')",
        ],
    );
}
