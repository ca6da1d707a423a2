/** Lifetimes of tokens and sessions in seconds, and the claims of access tokens. */
export type TokenSettings = {
  /** `iss`: the service's public base address. */
  readonly issuer: string;
  /** `aud`: the audience of the tokens. */
  readonly audience: string;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  /** A session ends after this, however often it is refreshed (OWASP ASVS 10.4.8). */
  readonly sessionSeconds: number;
  /** A signing key is replaced automatically after this. */
  readonly keySeconds: number;
};

export const defaultTokenSettings: Omit<TokenSettings, "issuer"> = {
  audience: "sluice",
  accessSeconds: 15 * 60,
  refreshSeconds: 6 * 3600,
  sessionSeconds: 24 * 3600,
  keySeconds: 90 * 24 * 3600,
};
