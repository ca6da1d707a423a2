import type { PasswordHashing } from "../tokens/password-hash.ts";
import type { SessionContext } from "../tokens/session-context.ts";

/** How people sign in, and for how many seconds a sign-in is valid. */
export type PeopleSettings = {
  /** A session ends when it is not refreshed for this long. */
  readonly idleSeconds: number;
  /** A session ends after this, however often it is refreshed. */
  readonly sessionSeconds: number;
  /** For how long a person's identity counts as confirmed. */
  readonly confirmationSeconds: number;
  /** The minimum age of a member and its credential for approving payouts and confirming members. */
  readonly approverMinAgeSeconds: number;
  /** More expensive than for programs: passwords that people choose can be guessed. */
  readonly hashing: PasswordHashing;
  readonly isSandbox: boolean;
};

export const defaultPeopleSettings: Omit<PeopleSettings, "isSandbox"> = {
  idleSeconds: 2 * 3600,
  sessionSeconds: 12 * 3600,
  confirmationSeconds: 5 * 60,
  approverMinAgeSeconds: 24 * 3600,
  // RFC 9106's second recommendation, on one thread.
  hashing: { memoryKib: 65_536, passes: 3, threads: 1 },
};

/** What the functions of this folder work with. */
export type PeopleContext = SessionContext & { readonly people: PeopleSettings };

/** Where a request came from. */
export type ClientInfo = {
  readonly ip: string;
  readonly userAgent: string;
  /** The device cookie of the request, not verified yet. */
  readonly device: string | null;
};
