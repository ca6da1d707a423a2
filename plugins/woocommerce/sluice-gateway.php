<?php
/**
 * Plugin Name: Sluice for WooCommerce
 * Description: Crypto payments through your own Sluice server.
 * Version: 0.1.0
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 */

defined('ABSPATH') || exit;

require_once __DIR__ . '/includes/class-sluice-decimal.php';
require_once __DIR__ . '/includes/class-sluice-signature.php';
require_once __DIR__ . '/includes/class-sluice-client.php';

add_action('plugins_loaded', static function () {
    if (!class_exists('WC_Payment_Gateway')) {
        return;
    }
    require_once __DIR__ . '/includes/class-sluice-order-status.php';
    require_once __DIR__ . '/includes/class-sluice-refund.php';
    require_once __DIR__ . '/includes/class-sluice-gateway.php';
    add_filter('woocommerce_payment_gateways', static function ($gateways) {
        $gateways[] = 'Sluice_Gateway';
        return $gateways;
    });
});

add_action('before_woocommerce_init', static function () {
    $features = 'Automattic\WooCommerce\Utilities\FeaturesUtil';
    if (class_exists($features)) {
        $features::declare_compatibility('custom_order_tables', __FILE__, true);
        $features::declare_compatibility('cart_checkout_blocks', __FILE__, true);
    }
});

// The checkout of blocks shows only payment methods that register with it.
add_action('woocommerce_blocks_loaded', static function () {
    if (!class_exists('Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType')) {
        return;
    }
    require_once __DIR__ . '/includes/class-sluice-blocks.php';
    add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry) {
        $registry->register(new Sluice_Blocks(__FILE__));
    });
});
