/** Lifetimes of what `/token/` hands out, in seconds, and what access tokens say of their origin. */
export type TokenSettings = {
  /** `iss`: the service's public base address. */
  readonly issuer: string;
  /** `aud`: what the tokens are for. */
  readonly audience: string;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  /** However often it is refreshed, a session ends after this (OWASP ASVS 10.4.8). */
  readonly sessionSeconds: number;
  /** A signing key that nobody rotated is replaced after this. */
  readonly keySeconds: number;
};

export const defaultTokenSettings: Omit<TokenSettings, "issuer"> = {
  audience: "sluice",
  accessSeconds: 15 * 60,
  refreshSeconds: 6 * 3600,
  sessionSeconds: 24 * 3600,
  keySeconds: 90 * 24 * 3600,
};
