<?php
defined('ABSPATH') || exit;

/** The service refused a request or did not answer. `code` is its application code; `meta` what it adds. */
final class Sluice_Error extends RuntimeException
{
    /** @var string */
    public $reason;
    /** @var array */
    public $meta;
    /** @var bool Whether the service refused the request, so that it certainly did nothing. */
    public $isRefusal;

    public function __construct(string $message, string $reason, array $meta = [], bool $isRefusal = false)
    {
        parent::__construct($message);
        $this->reason = $reason;
        $this->meta = $meta;
        $this->isRefusal = $isRefusal;
    }
}

/** Sends requests to the service's JSON:API. */
final class Sluice_Client
{
    private const MEDIA_TYPE = 'application/vnd.api+json';
    private const TIMEOUT_SECONDS = 20;

    /** @var string */
    private $base;
    /** @var string */
    private $login;
    /** @var string */
    private $password;
    /** @var string|null */
    private $token = null;

    public function __construct(string $base, string $login, string $password)
    {
        $this->base = rtrim($base, '/');
        $this->login = $login;
        $this->password = $password;
    }

    /** A UUID that depends only on the parts, so that a repeated request has the same idempotency key. */
    public static function keyOf(string ...$parts): string
    {
        $hex = hash('sha256', implode("\0", $parts));
        $variant = dechex(8 | (hexdec($hex[16]) & 3));
        return sprintf(
            '%s-%s-4%s-%s%s-%s',
            substr($hex, 0, 8),
            substr($hex, 8, 4),
            substr($hex, 13, 3),
            $variant,
            substr($hex, 17, 3),
            substr($hex, 20, 12)
        );
    }

    /** The decoded document. Throws Sluice_Error. */
    public function get(string $path): array
    {
        return $this->send('GET', $path, null, []);
    }

    /** Posts a document of this type. `$related` maps names of relationships to [type, id]. Throws Sluice_Error. */
    public function post(string $path, string $type, array $attributes, array $related = [], string $key = ''): array
    {
        $data = ['type' => $type, 'attributes' => (object) $attributes];
        foreach ($related as $name => [$relatedType, $id]) {
            $data['relationships'][$name] = ['data' => ['type' => $relatedType, 'id' => (string) $id]];
        }
        return $this->send('POST', $path, ['data' => $data], $key === '' ? [] : ['idempotency-key' => $key]);
    }

    private function send(string $method, string $path, ?array $document, array $headers): array
    {
        if ($this->token === null && $path !== '/token/') {
            $answer = $this->post('/token/', 'auth-token', ['login' => $this->login, 'password' => $this->password]);
            $this->token = (string) $answer['data']['attributes']['access'];
        }
        $headers['Accept'] = self::MEDIA_TYPE;
        if ($this->token !== null) {
            $headers['Authorization'] = 'Bearer ' . $this->token;
        }
        $request = ['method' => $method, 'headers' => $headers, 'timeout' => self::TIMEOUT_SECONDS, 'redirection' => 0];
        if ($document !== null) {
            $request['headers']['Content-Type'] = self::MEDIA_TYPE;
            $request['body'] = wp_json_encode($document);
        }
        $response = wp_remote_request($this->base . $path, $request);
        if (is_wp_error($response)) {
            throw new Sluice_Error($response->get_error_message(), 'unreachable');
        }
        $status = (int) wp_remote_retrieve_response_code($response);
        $answer = json_decode((string) wp_remote_retrieve_body($response), true);
        if ($status >= 200 && $status < 300 && is_array($answer)) {
            return $answer;
        }
        $error = $answer['errors'][0] ?? [];
        throw new Sluice_Error(
            (string) ($error['detail'] ?? "The payment service answered with status $status."),
            (string) ($error['code'] ?? $status),
            (array) ($error['meta'] ?? $answer['meta'] ?? []),
            $status >= 400 && $status < 500
        );
    }
}
