<?php
defined('ABSPATH') || exit;

/** What a deposit does to its order. Doing it again changes nothing, so callbacks may be repeated and may overtake each other. */
final class Sluice_Order_Status
{
    /** The deposit that a customer pays now. */
    public const CURRENT = '_sluice_deposit_id';
    /** All deposits of the order: an earlier one can still be paid late. */
    public const ALL = '_sluice_deposit_ids';
    /** The deposit for which `payment_complete` ran: what it starts, such as shipping, happens once per order. */
    private const COMPLETED = '_sluice_completed_deposit_id';
    /** The deposit that put the order on hold, and the status that the order had before: "12 processing", or "12 pending" if unpaid. */
    private const HOLD = '_sluice_hold';
    /** The notes that were last added without a change of the status: about a hold, and about a second payment. */
    private const NOTED_HOLD = '_sluice_noted_hold';
    private const NOTED_TWICE = '_sluice_noted_twice';
    /** Nothing of these orders is left to deliver, so a hold would only reopen them. */
    private const ENDED = ['completed', 'refunded', 'cancelled'];
    private const UNPAID = 'pending';

    private $order;
    private $deposit;

    public function __construct($order, array $deposit)
    {
        $this->order = $order;
        $this->deposit = $deposit;
    }

    /** The order's total as the service is asked for it. */
    public static function total($order): string
    {
        return wc_format_decimal($order->get_total(), wc_get_price_decimals());
    }

    public static function deposit_ids($order): array
    {
        return array_filter(explode(',', (string) $order->get_meta(self::ALL)));
    }

    public static function asks_for_total($order, array $deposit): bool
    {
        $requested = (string) $deposit['attributes']['target_amount_requested'];
        return Sluice_Decimal::equals($requested, self::total($order));
    }

    /** Changes the order as the deposit says. Throws Sluice_Error if WooCommerce could not complete it. */
    public function follow(): void
    {
        $order = $this->order;
        switch ($this->deposit['attributes']['state']) {
            case 'paid':
            case 'overpaid':
                $this->settle();
                return;
            case 'on_hold':
                $this->hold(__('a payment waits for your decision in Sluice.', 'sluice'));
                return;
            case 'pending':
            case 'partially_paid':
                // An order that this deposit completed gets here only when the network reversed its payment.
                if ($order->is_paid() && $this->completed_by() === $this->id()) {
                    $this->hold(__('the payment is no longer confirmed.', 'sluice'));
                }
                return;
            case 'expired':
            case 'canceled':
                $isCurrent = (string) $order->get_meta(self::CURRENT) === $this->id();
                if ($isCurrent && $order->needs_payment()) {
                    $order->update_status('failed', $this->about(__('not paid in time.', 'sluice')));
                }
                return;
            case 'refunded':
                if ($this->completed_by() !== $this->id() && !$this->awaits_payment()) {
                    $this->resume();
                }
                return;
        }
    }

    private function settle(): void
    {
        if ($this->was_paid()) {
            $this->resume();
            if ($this->completed_by() !== $this->id()) {
                $text = __('also paid, although the order had already been paid. Refund one of the payments.', 'sluice');
                $this->note_once(self::NOTED_TWICE, $text);
            }
        } elseif (!self::asks_for_total($this->order, $this->deposit)) {
            $this->hold(__('paid, but the order has another total now.', 'sluice'));
        } else {
            $this->complete();
        }
    }

    /** Whether the order was paid at some time, by a deposit or otherwise: it is not completed again then. */
    private function was_paid(): bool
    {
        if ($this->awaits_payment() && $this->completed_by() !== $this->id()) {
            // Another deposit may have completed the order, but its payment was reversed, and the merchant asked for a new one.
            return false;
        }
        [$status, $heldBy] = [$this->order->get_status(), $this->held()[0]];
        return $this->completed_by() !== ''
            || $this->order->is_paid()
            || $status === 'refunded'
            || ($status === 'on-hold' && $heldBy !== '');
    }

    /** Whether the order is unpaid, or was so when a deposit put it on hold. */
    private function awaits_payment(): bool
    {
        return $this->order->needs_payment()
            || ($this->order->get_status() === 'on-hold' && $this->held()[1] === self::UNPAID);
    }

    /** The deposit that put the order on hold, and the status that the order had before; both empty for none. */
    private function held(): array
    {
        $held = (string) $this->order->get_meta(self::HOLD);
        $completedBy = $this->completed_by();
        if ($held === '' && $completedBy !== '' && (string) $this->order->get_meta(self::COMPLETED) === '') {
            // The first version stored only the transaction: if such an order is on hold, the deposit that completed it takes it off.
            return [$completedBy, 'processing'];
        }
        return array_pad(explode(' ', $held, 2), 2, '');
    }

    /** The deposit that completed the order; empty for none. The transaction is stored with the new status, so it is known first. */
    private function completed_by(): string
    {
        $transaction = (string) $this->order->get_transaction_id();
        if (in_array($transaction, self::deposit_ids($this->order), true)) {
            return $transaction;
        }
        return (string) $this->order->get_meta(self::COMPLETED);
    }

    private function complete(): void
    {
        if ($this->order->payment_complete($this->id()) === false) {
            throw new Sluice_Error('WooCommerce could not complete the order.', 'order');
        }
        $this->order->update_meta_data(self::COMPLETED, $this->id());
        $this->order->delete_meta_data(self::HOLD);
        $this->order->save();
        [$requested, $paid] = [self::total($this->order), (string) $this->deposit['attributes']['target_paid']];
        if (Sluice_Decimal::isLess($paid, $requested)) {
            // Accepted by the merchant, or within the tolerance.
            $text = __('accepted as paid: %1$s of %2$s %3$s received.', 'sluice');
            $this->order->add_order_note($this->about(sprintf($text, $paid, $requested, $this->order->get_currency())));
        }
    }

    /** Gives a paid order back the status that it had before this deposit put it on hold. */
    private function resume(): void
    {
        [$by, $before] = $this->held();
        $this->order->delete_meta_data(self::NOTED_HOLD);
        if ($by === $this->id()) {
            $this->order->delete_meta_data(self::HOLD);
        }
        if ($this->completed_by() === $this->id()) {
            $this->order->update_meta_data(self::COMPLETED, $this->id());
        }
        $this->order->save();
        if ($by === $this->id() && $this->order->get_status() === 'on-hold') {
            $status = $before === self::UNPAID ? 'processing' : $before;
            $this->order->update_status($status, $this->about(__('no decision is pending any more.', 'sluice')));
        }
    }

    private function hold(string $note): void
    {
        $status = $this->order->get_status();
        if ($status === 'on-hold') {
            return;
        }
        if (in_array($status, self::ENDED, true)) {
            $this->note_once(self::NOTED_HOLD, $note);
            return;
        }
        $before = $this->order->is_paid() ? $status : self::UNPAID;
        $this->order->update_meta_data(self::HOLD, $this->id() . " $before");
        $this->order->update_status('on-hold', $this->about($note));
    }

    private function note_once(string $kind, string $text): void
    {
        $note = $this->about($text);
        if ((string) $this->order->get_meta($kind) === $note) {
            return;
        }
        $this->order->update_meta_data($kind, $note);
        $this->order->save();
        $this->order->add_order_note($note);
    }

    private function id(): string
    {
        return (string) $this->deposit['id'];
    }

    private function about(string $text): string
    {
        return sprintf(__('Deposit %s', 'sluice'), $this->id()) . ": $text";
    }
}
