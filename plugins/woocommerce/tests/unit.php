<?php
/* Checks the plugin's arithmetic and signatures, without WordPress: `php unit.php`. Prints what is wrong and exits with 1. */

define('ABSPATH', __DIR__);
require dirname(__DIR__) . '/includes/class-sluice-decimal.php';
require dirname(__DIR__) . '/includes/class-sluice-signature.php';
require dirname(__DIR__) . '/includes/class-sluice-client.php';

$wrong = 0;
$expect = static function (string $what, $got, $wanted) use (&$wrong) {
    if ($got === $wanted) {
        return;
    }
    $wrong += 1;
    echo "$what: got " . var_export($got, true) . ', wanted ' . var_export($wanted, true) . "\n";
};

foreach ([
    ['100', '2500', 18, '0.040000000000000000'],
    ['100.00', '2500.00000000', 8, '0.04000000'],
    ['1', '3', 6, '0.333333'],
    ['2', '3', 2, '0.66'],
    ['0.01', '99999.99', 8, '0.00000010'],
    ['10', '3', 0, '3'],
    ['123456789.12', '0.5', 2, '246913578.24'],
    ['0', '5', 2, '0.00'],
] as [$over, $under, $scale, $wanted]) {
    $expect("$over / $under", Sluice_Decimal::divide($over, $under, $scale), $wanted);
}
foreach ([['10', '10.00', true], ['10.10', '10.1', true], ['10', '10.01', false], ['0', '0.00', true]] as [$one, $other, $is]) {
    $expect("$one = $other", Sluice_Decimal::equals($one, $other), $is);
}
foreach ([
    ['9.99', '10', true],
    ['10', '10.00', false],
    ['10.00', '9.999', false],
    ['0', '0.00', false],
    ['0.00', '0.01', true],
    ['2', '10', true],
] as [$one, $other, $is]) {
    $expect("$one < $other", Sluice_Decimal::isLess($one, $other), $is);
}
foreach (['-1', '1e5', '', '1.', 'a'] as $bad) {
    try {
        Sluice_Decimal::equals($bad, '1');
        $expect("\"$bad\"", 'accepted', 'refused');
    } catch (InvalidArgumentException $error) {
        continue;
    }
}

// The example of the Standard Webhooks specification.
$secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
$body = '{"test": 2432232314}';
$signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
$id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
$at = 1614265330;
$check = static function (array $changed = []) use ($secret, $body, $signature, $id, $at): bool {
    $given = $changed + [
        'body' => $body, 'id' => $id, 'timestamp' => (string) $at,
        'signatures' => $signature, 'secret' => $secret, 'now' => $at,
    ];
    return Sluice_Signature::isGenuine(...array_values(array_replace(
        array_fill_keys(['body', 'id', 'timestamp', 'signatures', 'secret', 'now'], null),
        $given
    )));
};
$expect('the known signature', $check(), true);
$expect('one of two signatures', $check(['signatures' => "v1,AAAA $signature"]), true);
foreach ([
    ['body' => $body . ' '],
    ['id' => 'msg_2'],
    ['timestamp' => (string) ($at + 1)],
    ['timestamp' => 'now'],
    ['signatures' => ''],
    ['signatures' => 'v1,AAAA'],
    ['secret' => 'whsec_AAAA'],
    ['secret' => ''],
    ['now' => $at + 301],
    ['now' => $at - 301],
] as $changed) {
    $expect('a callback with ' . json_encode($changed), $check($changed), false);
}

$key = Sluice_Client::keyOf('deposit', '1');
$expect('the form of a key', preg_match('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $key), 1);
$expect('the same key again', Sluice_Client::keyOf('deposit', '1'), $key);
$expect('keys of other parts differ', Sluice_Client::keyOf('deposit1', '') === $key, false);

exit($wrong === 0 ? 0 : 1);
