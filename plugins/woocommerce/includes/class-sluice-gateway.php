<?php
defined('ABSPATH') || exit;

/** The payment method: an order becomes a deposit, whose callbacks change the order. */
final class Sluice_Gateway extends WC_Payment_Gateway
{
    private const REFUND_ADDRESS = '_sluice_refund_address';
    private const PAYABLE = ['new', 'pending', 'partially_paid'];
    /** Money has arrived and is credited, or waits for a decision. */
    private const ARRIVED = ['paid', 'overpaid', 'on_hold'];

    public function __construct()
    {
        $this->id = 'sluice';
        $this->method_title = 'Sluice';
        $this->method_description = __('Crypto payments through your own Sluice server.', 'sluice');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
        add_action('woocommerce_api_sluice', [$this, 'handle_callback']);
        add_action('woocommerce_receipt_' . $this->id, [$this, 'show_embedded_page']);
        add_action('woocommerce_admin_order_data_after_billing_address', [$this, 'show_refund_address']);
        add_action('woocommerce_process_shop_order_meta', [$this, 'save_refund_address']);
    }

    public function init_form_fields()
    {
        $text = static function (string $title, string $description, string $type = 'text', string $default = '') {
            return compact('title', 'description', 'type', 'default');
        };
        $this->form_fields = [
            'enabled' => $text(__('Enabled', 'sluice'), '', 'checkbox', 'no'),
            'title' => $text(__('Title', 'sluice'), '', 'text', __('Cryptocurrency', 'sluice')),
            'description' => $text(__('Description', 'sluice'), '', 'textarea'),
            'base_url' => $text(__('Address of the service', 'sluice'), 'https://pay.example.com'),
            'login' => $text(__('API login', 'sluice'), ''),
            'password' => $text(__('API password', 'sluice'), '', 'password'),
            'webhook_secret' => $text(__('Webhook secret', 'sluice'), 'whsec_...', 'password'),
            'wallet_id' => $text(
                __('Wallet ID', 'sluice'),
                __("A Merchant wallet in the shop's currency.", 'sluice')
            ),
            'time_limit' => $text(__('Minutes to pay', 'sluice'), '', 'number', '60'),
            'embed' => $text(
                __('Show the payment page in a dialog', 'sluice'),
                __("The shop's origin must be among the embedding origins of the store settings.", 'sluice'),
                'checkbox',
                'no'
            ),
        ];
    }

    /**
     * Creates the order's deposit, or continues with the one that can still be paid, and leads to its payment page. If the order turns out
     * to be paid or on hold, it leads to the order.
     */
    public function process_payment($order_id)
    {
        $order = wc_get_order($order_id);
        try {
            $deposit = $this->current_deposit($order);
            if ($deposit !== null && $this->has_arrived($order, $deposit)) {
                return ['result' => 'success', 'redirect' => $this->get_return_url($order)];
            }
            if ($deposit === null || !$this->is_payable($order, $deposit)) {
                $deposit = $this->create_deposit($order);
            }
        } catch (Sluice_Error $error) {
            wc_get_logger()->error($error->getMessage(), ['source' => 'sluice']);
            wc_add_notice(__('The payment could not be started. Please try again.', 'sluice'), 'error');
            return ['result' => 'failure'];
        }
        $page = $deposit['attributes']['payment_page'];
        $order->update_meta_data('_sluice_payment_page', $page);
        $order->save();
        $isEmbedded = $this->get_option('embed') === 'yes';
        return ['result' => 'success', 'redirect' => $isEmbedded ? $order->get_checkout_payment_url(true) : $page];
    }

    /** The page "pay for order" with the embed script and its button. */
    public function show_embedded_page($order_id)
    {
        $order = wc_get_order($order_id);
        $script = rtrim($this->get_option('base_url'), '/') . '/embed.js';
        wp_enqueue_script('sluice-embed', $script, [], null, true);
        printf(
            '<button type="button" class="button" data-sluice-payment="%s">%s</button>',
            esc_attr($order->get_meta('_sluice_payment_page')),
            esc_html($this->title)
        );
    }

    /** `?wc-api=sluice`: verifies a callback, reads the object that it names from the service, and changes the order. */
    public function handle_callback()
    {
        $body = (string) file_get_contents('php://input');
        $header = static function (string $name): string {
            return (string) wp_unslash($_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] ?? '');
        };
        $isGenuine = Sluice_Signature::isGenuine(
            $body,
            $header('webhook-id'),
            $header('webhook-timestamp'),
            $header('webhook-signature'),
            $this->get_option('webhook_secret'),
            time()
        );
        if (!$isGenuine) {
            return $this->answer(401, 'The signature is wrong.');
        }
        $data = json_decode($body, true)['data'] ?? [];
        if (($data['type'] ?? '') === 'test') {
            return $this->answer(200, '');
        }
        $order = wc_get_order(absint($_GET['order'] ?? 0));
        if (!$order || !hash_equals($order->get_order_key(), (string) wp_unslash($_GET['key'] ?? ''))) {
            return $this->answer(404, 'There is no such order.');
        }
        try {
            if ($data['type'] === 'payout') {
                $this->note_refund($order, (string) $data['id']);
            } elseif (in_array((string) $data['id'], Sluice_Order_Status::deposit_ids($order), true)) {
                // Callbacks can arrive late: only the current state counts.
                $deposit = $this->client()->get('/deposit/' . absint($data['id']) . '/')['data'];
                (new Sluice_Order_Status($order, $deposit))->follow();
            } else {
                return $this->answer(404, 'This deposit does not belong to the order.');
            }
        } catch (Sluice_Error $error) {
            // The service sends the callback again.
            return $this->answer(503, $error->getMessage());
        }
        return $this->answer(200, '');
    }

    /** Sends the refund as a payout at the current rate to the address that the customer named. */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $order = wc_get_order($order_id);
        $address = trim((string) $order->get_meta(self::REFUND_ADDRESS));
        if ($address === '') {
            return new WP_Error(
                'sluice_refund_address',
                __("Ask the customer for an address, and enter it in the order's field “Refund address”.", 'sluice')
            );
        }
        try {
            $wallet = $this->get_option('wallet_id');
            $refund = new Sluice_Refund($this->client(), $order, $wallet, $this->callback_url($order));
            $payout = $refund->pay(wc_format_decimal($amount, wc_get_price_decimals()), $address);
        } catch (Sluice_Error | InvalidArgumentException $error) {
            return new WP_Error('sluice_refund', $error->getMessage());
        }
        $order->add_order_note(sprintf(__('Refund sent as payout %s.', 'sluice'), $payout));
        return true;
    }

    public function show_refund_address($order)
    {
        if ($order->get_payment_method() !== $this->id) {
            return;
        }
        printf(
            '<p class="form-field form-field-wide"><label for="sluice_refund_address">%s</label>' .
            '<input type="text" id="sluice_refund_address" name="sluice_refund_address" value="%s"></p>',
            esc_html__('Refund address', 'sluice'),
            esc_attr($order->get_meta(self::REFUND_ADDRESS))
        );
    }

    /** WooCommerce has checked the form's nonce and the user's rights. */
    public function save_refund_address($order_id)
    {
        if (!isset($_POST['sluice_refund_address'])) {
            return;
        }
        $order = wc_get_order($order_id);
        $order->update_meta_data(
            self::REFUND_ADDRESS,
            sanitize_text_field(wp_unslash($_POST['sluice_refund_address']))
        );
        $order->save();
    }

    private function client(): Sluice_Client
    {
        return new Sluice_Client(
            $this->get_option('base_url'),
            $this->get_option('login'),
            $this->get_option('password')
        );
    }

    private function callback_url($order): string
    {
        return add_query_arg(
            ['order' => $order->get_id(), 'key' => $order->get_order_key()],
            WC()->api_request_url('sluice')
        );
    }

    /** The deposit that the customer was led to last; null for none. */
    private function current_deposit($order): ?array
    {
        $id = (string) $order->get_meta(Sluice_Order_Status::CURRENT);
        return $id === '' ? null : $this->client()->get("/deposit/$id/")['data'];
    }

    /**
     * Whether the payment has arrived, though its callback has not: the order then becomes paid, or on hold. An order that still needs
     * payment afterwards was set so by the merchant, who asks for another payment.
     */
    private function has_arrived($order, array $deposit): bool
    {
        if (!in_array($deposit['attributes']['state'], self::ARRIVED, true)) {
            return false;
        }
        (new Sluice_Order_Status($order, $deposit))->follow();
        return !$order->needs_payment();
    }

    /** Whether the deposit can still be paid and asks for the order's total. */
    private function is_payable($order, array $deposit): bool
    {
        $isOpen = in_array($deposit['attributes']['state'], self::PAYABLE, true);
        return $isOpen && Sluice_Order_Status::asks_for_total($order, $deposit);
    }

    private function create_deposit($order): array
    {
        $client = $this->client();
        $this->assert_currency($client, $order);
        $known = Sluice_Order_Status::deposit_ids($order);
        $total = Sluice_Order_Status::total($order);
        $key = Sluice_Client::keyOf(
            'deposit',
            home_url(),
            $order->get_order_key(),
            $total,
            (string) count($known)
        );
        $attributes = [
            'target_amount_requested' => $total,
            'tracking_id' => (string) $order->get_order_number(),
            'description' => sprintf(__('Order %s', 'sluice'), $order->get_order_number()),
            'time_limit' => 60 * max(1, (int) $this->get_option('time_limit')),
            'callback_url' => $this->callback_url($order),
            'payment_page_redirect_url' => $this->get_return_url($order),
        ];
        $wallet = ['wallet' => ['wallet', $this->get_option('wallet_id')]];
        $deposit = $client->post('/deposit/', 'deposit', $attributes, $wallet, $key)['data'];
        $order->update_meta_data(Sluice_Order_Status::CURRENT, (string) $deposit['id']);
        $order->update_meta_data(Sluice_Order_Status::ALL, implode(',', array_unique([...$known, (string) $deposit['id']])));
        $order->save();
        return $deposit;
    }

    /** Throws Sluice_Error if the wallet is not in the order's currency: the amounts would be wrong. */
    private function assert_currency(Sluice_Client $client, $order): void
    {
        $id = absint($this->get_option('wallet_id'));
        $document = $client->get("/wallet/$id/?include=currency");
        $code = (string) ($document['included'][0]['attributes']['alpha'] ?? '');
        if ($code !== $order->get_currency()) {
            throw new Sluice_Error("The wallet is in $code, the order in {$order->get_currency()}.", 'currency');
        }
    }

    private function note_refund($order, string $id): void
    {
        $payout = $this->client()->get('/payout/' . absint($id) . '/')['data'];
        $state = $payout['attributes']['state'];
        if (in_array($state, ['confirmed', 'failed', 'canceled', 'on_hold'], true)) {
            $order->add_order_note(sprintf(__('Refund, payout %1$s: %2$s.', 'sluice'), $id, $state));
        }
    }

    private function answer(int $status, string $text): void
    {
        status_header($status);
        echo esc_html($text);
        exit;
    }
}
