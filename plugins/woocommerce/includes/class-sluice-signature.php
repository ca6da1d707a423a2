<?php
defined('ABSPATH') || exit;

/** Verifies callbacks by the Standard Webhooks signature, which covers the whole body. */
final class Sluice_Signature
{
    private const TOLERANCE_SECONDS = 300;

    /** Whether the body was signed with the secret (`whsec_...`) within the last five minutes. */
    public static function isGenuine(
        string $body,
        string $id,
        string $timestamp,
        string $signatures,
        string $secret,
        int $now
    ): bool {
        $key = base64_decode((string) preg_replace('/^whsec_/', '', trim($secret)), true);
        if ($key === false || $key === '' || $id === '' || !ctype_digit($timestamp)) {
            return false;
        }
        if (abs($now - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            return false;
        }
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        // Two signatures while a secret is being rotated.
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($wanted, $signature)) {
                return true;
            }
        }
        return false;
    }
}
