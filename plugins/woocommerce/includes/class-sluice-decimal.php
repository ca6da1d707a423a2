<?php
defined('ABSPATH') || exit;

/** Exact arithmetic on decimal texts: an amount is never a float, and bcmath is not installed everywhere. */
final class Sluice_Decimal
{
    /** Whether two decimal texts have the same value: "10" and "10.00". */
    public static function equals(string $one, string $other): bool
    {
        return self::normalize($one) === self::normalize($other);
    }

    public static function isLess(string $one, string $other): bool
    {
        [$units, $digits] = self::units($one);
        [$otherUnits, $otherDigits] = self::units($other);
        $scale = max($digits, $otherDigits);
        $left = ltrim($units . str_repeat('0', $scale - $digits), '0');
        $right = ltrim($otherUnits . str_repeat('0', $scale - $otherDigits), '0');
        return !self::isAtLeast($left, $right);
    }

    /** `$dividend / $divisor` for positive numbers, rounded down to `$scale` digits after the point. */
    public static function divide(string $dividend, string $divisor, int $scale): string
    {
        [$over, $overDigits] = self::units($dividend);
        [$under, $underDigits] = self::units($divisor);
        if ($under === '0') {
            throw new InvalidArgumentException('division by zero');
        }
        $digits = $over . str_repeat('0', $scale + $underDigits);
        $quotient = self::divideIntegers($digits, $under . str_repeat('0', $overDigits));
        $quotient = str_pad($quotient, $scale + 1, '0', STR_PAD_LEFT);
        return $scale === 0 ? $quotient : substr($quotient, 0, -$scale) . '.' . substr($quotient, -$scale);
    }

    private static function normalize(string $decimal): string
    {
        [$units, $digits] = self::units($decimal);
        $padded = str_pad($units, $digits + 1, '0', STR_PAD_LEFT);
        $whole = substr($padded, 0, strlen($padded) - $digits);
        $fraction = rtrim(substr($padded, strlen($padded) - $digits), '0');
        return $fraction === '' ? $whole : "$whole.$fraction";
    }

    /** The digits as an integer text, and how many of them follow the point. */
    private static function units(string $decimal): array
    {
        if (!preg_match('/^\d+(?:\.(\d+))?$/', $decimal, $found)) {
            throw new InvalidArgumentException("$decimal is not a decimal");
        }
        $units = ltrim(str_replace('.', '', $decimal), '0');
        return [$units === '' ? '0' : $units, strlen($found[1] ?? '')];
    }

    /** Long division, digit by digit. */
    private static function divideIntegers(string $over, string $under): string
    {
        $quotient = '';
        $rest = '';
        foreach (str_split($over) as $digit) {
            $rest = ltrim($rest . $digit, '0');
            $times = 0;
            while (self::isAtLeast($rest, $under)) {
                $rest = self::subtract($rest, $under);
                $times += 1;
            }
            $quotient .= $times;
        }
        $quotient = ltrim($quotient, '0');
        return $quotient === '' ? '0' : $quotient;
    }

    private static function isAtLeast(string $one, string $other): bool
    {
        return strlen($one) === strlen($other) ? strcmp($one, $other) >= 0 : strlen($one) > strlen($other);
    }

    private static function subtract(string $from, string $amount): string
    {
        $amount = str_pad($amount, strlen($from), '0', STR_PAD_LEFT);
        $result = '';
        $borrow = 0;
        for ($at = strlen($from) - 1; $at >= 0; $at -= 1) {
            $digit = (int) $from[$at] - (int) $amount[$at] - $borrow;
            $borrow = $digit < 0 ? 1 : 0;
            $result = ($digit + 10 * $borrow) . $result;
        }
        return ltrim($result, '0');
    }
}
