<?php
defined('ABSPATH') || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Shows the payment method in the checkout of blocks. */
final class Sluice_Blocks extends AbstractPaymentMethodType
{
    protected $name = 'sluice';
    /** @var string */
    private $plugin;

    public function __construct(string $plugin)
    {
        $this->plugin = $plugin;
    }

    public function initialize()
    {
        $this->settings = get_option('woocommerce_sluice_settings', []);
    }

    public function is_active()
    {
        return ($this->settings['enabled'] ?? 'no') === 'yes';
    }

    public function get_payment_method_script_handles()
    {
        $script = plugins_url('assets/blocks.js', $this->plugin);
        wp_register_script('sluice-blocks', $script, ['wc-blocks-registry', 'wc-settings', 'wp-element'], '0.1.0', true);
        return ['sluice-blocks'];
    }

    public function get_payment_method_data()
    {
        return ['title' => $this->settings['title'] ?? '', 'description' => $this->settings['description'] ?? ''];
    }
}
