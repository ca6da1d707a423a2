<?php
/*
 * A small WordPress for tests, run by `php -S`: the functions and classes of WordPress and WooCommerce that the plugin calls, after their
 * documentation, with orders in a JSON file. It is not WooCommerce; it shows that the plugin does the right thing with what it documents.
 * Routes: POST /order, POST /pay, POST /refund, GET /order, and WooCommerce's own /?wc-api=sluice.
 */

define('ABSPATH', __DIR__);

$hooks = [];
$settings = json_decode((string) getenv('SLUICE_TEST_SETTINGS'), true);

function add_action($name, $callback) { global $hooks; $hooks[$name][] = $callback; }
function add_filter($name, $callback) { add_action($name, $callback); }
function do_action($name, ...$given) { global $hooks; foreach ($hooks[$name] ?? [] as $callback) { $callback(...$given); } }
function apply_filters($name, $value) { global $hooks; foreach ($hooks[$name] ?? [] as $callback) { $value = $callback($value); } return $value; }
function __($text, $domain = '') { return $text; }
function esc_html__($text, $domain = '') { return htmlspecialchars($text); }
function esc_html($text) { return htmlspecialchars($text); }
function esc_attr($text) { return htmlspecialchars($text); }
function wp_unslash($value) { return $value; }
function sanitize_text_field($text) { return trim(strip_tags($text)); }
function absint($value) { return abs((int) $value); }
function wp_json_encode($value) { return json_encode($value); }
function status_header($status) { http_response_code($status); }
function home_url() { return 'http://' . $_SERVER['HTTP_HOST']; }
function add_query_arg(array $arguments, $url) { return $url . (strpos($url, '?') === false ? '?' : '&') . http_build_query($arguments); }
function wc_get_price_decimals() { return 2; }
function wc_format_decimal($number, $digits) { return number_format((float) $number, $digits, '.', ''); }
function wc_add_notice($text, $kind) { global $notices; $notices[] = $text; }
function wc_get_logger() { return new class { public function error($text) { error_log($text); } }; }
function is_wp_error($value) { return $value instanceof WP_Error; }
function wp_remote_retrieve_response_code($response) { return $response['code']; }
function wp_remote_retrieve_body($response) { return $response['body']; }
function wp_remote_request($url, array $request)
{
    $lines = [];
    foreach ($request['headers'] as $name => $value) {
        $lines[] = "$name: $value";
    }
    $http = ['method' => $request['method'], 'header' => $lines, 'content' => $request['body'] ?? '', 'ignore_errors' => true];
    $http += ['timeout' => $request['timeout'], 'follow_location' => 0];
    $body = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    if ($body === false) {
        return new WP_Error('http_request_failed', 'no answer');
    }
    preg_match('/ (\d{3}) ?/', $http_response_header[0], $found);
    return ['code' => (int) $found[1], 'body' => $body];
}
function wc_get_order($id) { return WC_Order::find((int) $id); }
function WC() { return new class { public function api_request_url($name) { return home_url() . "/?wc-api=$name"; } }; }

final class WP_Error
{
    private $message;
    public function __construct($code, $message) { $this->message = $message; }
    public function get_error_message() { return $this->message; }
}

abstract class WC_Payment_Gateway
{
    public $id; public $title; public $description; public $method_title; public $method_description;
    public $has_fields; public $supports; public $form_fields; public $settings = [];
    public function init_settings() { global $settings; $this->settings = $settings; }
    public function get_option($name) { return $this->settings[$name] ?? $this->form_fields[$name]['default'] ?? ''; }
    public function get_return_url($order) { return home_url() . '/order-received/' . $order->get_id() . '/'; }
    public function process_admin_options() { return true; }
}

final class WC_Order
{
    private $row;
    private function __construct(array $row) { $this->row = $row; }
    private static function file() { return (string) getenv('SLUICE_TEST_ORDERS'); }
    private static function all() { return json_decode((string) @file_get_contents(self::file()), true) ?: []; }
    public static function find(int $id) { $row = self::all()[$id] ?? null; return $row === null ? false : new self($row); }
    public static function create(array $given)
    {
        $id = count(self::all()) + 1;
        $row = $given + ['id' => $id, 'status' => 'pending', 'key' => "wc_order_$id", 'meta' => [], 'notes' => [], 'refunds' => 0];
        $order = new self($row);
        $order->save();
        return $order;
    }
    public function save() { $all = self::all(); $all[$this->row['id']] = $this->row; file_put_contents(self::file(), json_encode($all)); }
    public function row() { return $this->row; }
    public function set(array $given) { $this->row = $given + $this->row; }
    public function get_id() { return $this->row['id']; }
    public function get_order_number() { return (string) $this->row['id']; }
    public function get_order_key() { return $this->row['key']; }
    public function get_total() { return $this->row['total']; }
    public function get_currency() { return $this->row['currency']; }
    public function get_status() { return $this->row['status']; }
    public function get_payment_method() { return 'sluice'; }
    public function get_checkout_payment_url($onCheckout) { return home_url() . '/pay-for-order/' . $this->get_id() . '/'; }
    public function get_meta($name) { return $this->row['meta'][$name] ?? ''; }
    public function update_meta_data($name, $value) { $this->row['meta'][$name] = $value; }
    public function delete_meta_data($name) { unset($this->row['meta'][$name]); }
    public function get_transaction_id() { return $this->row['transaction'] ?? ''; }
    public function get_billing_first_name() { return 'Jo'; }
    public function get_billing_last_name() { return 'Doe'; }
    public function get_billing_country() { return 'DE'; }
    public function get_billing_address_1() { return 'Unter den Linden 1'; }
    public function get_billing_postcode() { return '10117'; }
    public function get_billing_city() { return 'Berlin'; }
    public function get_refunds() { return array_fill(0, $this->row['refunds'], null); }
    public function add_refund() { $this->row['refunds'] += 1; $this->save(); }
    public function add_order_note($note) { $this->row['notes'][] = $note; $this->save(); }
    public function is_paid() { return in_array($this->row['status'], ['processing', 'completed'], true); }
    public function needs_payment() { return in_array($this->row['status'], ['pending', 'failed'], true); }
    public function update_status($status, $note = '') { $this->row['status'] = $status; $this->row['notes'][] = $note; $this->save(); }
    public function payment_complete($id)
    {
        if (in_array($this->row['status'], ['on-hold', 'pending', 'failed', 'cancelled'], true)) {
            $this->row['transaction'] = $id;
            $this->update_status('processing', 'Payment complete.');
        }
        return true;
    }
}

require dirname(__DIR__) . '/sluice-gateway.php';
do_action('plugins_loaded');
[$class] = apply_filters('woocommerce_payment_gateways', []);
$gateway = new $class();

$given = json_decode((string) file_get_contents('php://input'), true) ?: [];
$answer = static function ($value) {
    header('content-type: application/json');
    echo json_encode($value);
};
switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/order':
        $isNew = $_SERVER['REQUEST_METHOD'] === 'POST';
        $answer(($isNew ? WC_Order::create($given) : wc_get_order($_GET['id']))->row());
        break;
    case '/change':
        // What a merchant or another payment method changes.
        $order = wc_get_order($given['id']);
        $order->set($given['row'] ?? []);
        foreach ($given['meta'] ?? [] as $name => $value) {
            $order->update_meta_data($name, $value);
        }
        $order->save();
        $answer($order->row());
        break;
    case '/pay':
        $answer($gateway->process_payment($given['id']) + ['notices' => $notices ?? []]);
        break;
    case '/refund':
        // WooCommerce creates the refund before it asks the gateway, and deletes it again after an error.
        $order = wc_get_order($given['id']);
        if (!($given['repeat'] ?? false)) {
            $order->add_refund();
        }
        $result = $gateway->process_refund($given['id'], $given['amount']);
        $answer(is_wp_error($result) ? ['error' => $result->get_error_message()] : ['done' => $result]);
        break;
    default:
        do_action('woocommerce_api_' . ($_GET['wc-api'] ?? ''));
}
