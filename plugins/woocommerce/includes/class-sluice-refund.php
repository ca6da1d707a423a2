<?php
defined('ABSPATH') || exit;

/** Refunds of an order: payouts of an amount's value at the current price to the address that the customer named. */
final class Sluice_Refund
{
    /** The requests as they were last sent, by their keys, as JSON. */
    private const REQUESTS = '_sluice_refund_requests';
    /** Where earlier versions stored only the newest of them. */
    private const NEWEST = '_sluice_refund_request';
    /** Payouts in these states paid nothing, and never will. */
    private const ENDED = ['failed', 'canceled'];
    /** An older request asks for an amount of coins at a price that is no longer true. */
    private const REQUEST_SECONDS = 900;

    private $client;
    private $order;
    private $wallet;
    private $callback;

    public function __construct(Sluice_Client $client, $order, string $wallet, string $callback)
    {
        $this->client = $client;
        $this->order = $order;
        $this->wallet = $wallet;
        $this->callback = $callback;
    }

    /**
     * Returns the payout's id. The key depends on the order and on how many refunds it has. The request is stored before it is sent: if its
     * answer is lost, the same request is sent again within minutes, and the service answers with the payout that it made, whatever the
     * balance is now. A request to another address, or after the price has changed, has the same key: if the earlier one did arrive, the
     * service refuses it, so that a refund is never paid twice. Only when the earlier payout failed or was canceled does another one
     * follow, with a key that depends on it. Throws Sluice_Error.
     */
    public function pay(string $amount, string $address): string
    {
        $refunds = (string) count($this->order->get_refunds());
        $parts = ['refund', home_url(), $this->order->get_order_key(), $amount, $refunds];
        $key = Sluice_Client::keyOf(...$parts);
        [$payout, $isNew] = $this->attempt($key, $amount, $address);
        while (!$isNew && $this->has_ended($payout)) {
            $key = Sluice_Client::keyOf(...[...$parts, $payout]);
            [$payout, $isNew] = $this->attempt($key, $amount, $address);
        }
        $paid = $this->requests()[$key]['attributes']['address'];
        if ($paid === $address) {
            return $payout;
        }
        $text = __('An earlier attempt at this refund was paid to %1$s by payout %2$s. Nothing was paid now.', 'sluice');
        throw new Sluice_Error(sprintf($text, $paid, $payout), '1004', [], true);
    }

    /** The payout with this key, and whether it was made now. */
    private function attempt(string $key, string $amount, string $address): array
    {
        $stored = $this->requests()[$key] ?? null;
        if ($stored !== null && $this->isCurrent($stored, $address)) {
            try {
                return $this->send($stored);
            } catch (Sluice_Error $error) {
                if (!$error->isRefusal) {
                    throw $error;
                }
                // It was refused, then and now: nothing was paid, and a new quote may help.
            }
        }
        $request = ['key' => $key, 'sent_at' => time()] + $this->request($amount, $address);
        $this->store($request);
        try {
            return $this->send($request);
        } catch (Sluice_Error $error) {
            if ($error->reason !== '1004' || $stored === null) {
                throw $error;
            }
            // The stored request made a payout. Its key is used up, so to send it again pays nothing.
            $this->store($stored);
            return $this->send($stored);
        }
    }

    private function has_ended(string $payout): bool
    {
        $found = $this->client->get('/payout/' . absint($payout) . '/')['data'];
        return in_array($found['attributes']['state'], self::ENDED, true);
    }

    private function requests(): array
    {
        $stored = json_decode((string) $this->order->get_meta(self::REQUESTS), true);
        if (is_array($stored)) {
            return $stored;
        }
        $newest = json_decode((string) $this->order->get_meta(self::NEWEST), true);
        return is_array($newest) ? [$newest['key'] => $newest] : [];
    }

    private function store(array $request): void
    {
        $requests = [$request['key'] => $request] + $this->requests();
        $this->order->update_meta_data(self::REQUESTS, wp_json_encode($requests));
        $this->order->save();
    }

    private function isCurrent(array $request, string $address): bool
    {
        $age = time() - (int) ($request['sent_at'] ?? 0);
        return $request['attributes']['address'] === $address && $age >= 0 && $age <= self::REQUEST_SECONDS;
    }

    /** The attributes and relationships of the payout, at current prices and fees. */
    private function request(string $amount, string $address): array
    {
        [$client, $order] = [$this->client, $this->order];
        $id = absint($order->get_meta(Sluice_Order_Status::CURRENT));
        $deposit = $client->get("/deposit/$id/?include=currency")['data'];
        $currency = (string) ($deposit['relationships']['currency']['data']['id'] ?? '');
        $coin = $client->get("/currency/$currency/")['data']['attributes'];
        $units = $this->convert($amount, $order->get_currency(), $coin);
        $related = ['wallet' => ['wallet', $this->wallet], 'currency' => ['currency', $currency]];
        $quoted = ['amount' => $units, 'to_address' => $address];
        $fee = $client->post('/payout/calculate/', 'payout-calculation', $quoted, $related)['data']['attributes']['fee'];
        $needs = $client->post('/payout/requirements/', 'payout-requirements', ['amount' => $units], $related);
        $attributes = [
            'amount' => $units,
            'fee_amount' => (string) $fee['medium'],
            'address' => $address,
            'label' => sprintf('Refund %s', $order->get_order_number()),
            'callback_url' => $this->callback,
        ];
        if ($needs['data']['attributes']['needs_travel_rule']) {
            $attributes['travel_rule_info'] = $this->travel_rule();
        }
        return compact('attributes', 'related');
    }

    /** The payout that the request made, and whether it made it now. */
    private function send(array $request): array
    {
        [$attributes, $related] = [$request['attributes'], $request['related']];
        try {
            $payout = $this->client->post('/payout/', 'payout', $attributes, $related, $request['key'])['data'];
            return [(string) $payout['id'], true];
        } catch (Sluice_Error $error) {
            if ($error->reason !== '1004') {
                throw $error;
            }
            // An earlier request with this key has created the payout; its answer was lost.
            if (isset($error->meta['payout_id'])) {
                return [(string) $error->meta['payout_id'], false];
            }
            $text = __('An earlier attempt at this refund was paid. Look for its payout in Sluice. Nothing was paid now.', 'sluice');
            throw new Sluice_Error("$text ({$error->getMessage()})", '1004', [], true);
        }
    }

    /** The amount in the coin at the current price, rounded down. */
    private function convert(string $amount, string $code, array $coin): string
    {
        if ($coin['alpha'] === $code) {
            return $amount;
        }
        $query = '?filter[left]=' . rawurlencode($coin['alpha']) . '&filter[right]=' . rawurlencode($code);
        $rate = $this->client->get("/rates/$query")['data'][0]['attributes'] ?? null;
        if ($rate === null) {
            throw new Sluice_Error(__('No exchange rate is available. Try again later.', 'sluice'), 'rate');
        }
        return Sluice_Decimal::divide($amount, (string) $rate['ask'], (int) $coin['exp']);
    }

    /** Who gets the money, as the travel rule wants it. */
    private function travel_rule(): array
    {
        $order = $this->order;
        $name = [
            'primaryIdentifier' => $order->get_billing_last_name(),
            'secondaryIdentifier' => $order->get_billing_first_name(),
        ];
        $place = [
            'addressType' => 'HOME',
            'country' => $order->get_billing_country(),
            'addressLine' => array_values(array_filter([
                $order->get_billing_address_1(),
                trim($order->get_billing_postcode() . ' ' . $order->get_billing_city()),
            ])),
        ];
        $person = ['name' => [['nameIdentifier' => [$name]]], 'geographicAddress' => [$place]];
        return ['beneficiary' => ['beneficiaryPersons' => [['naturalPerson' => $person]]]];
    }
}
