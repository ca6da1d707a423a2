import type { PasswordHashing } from "../tokens/password-hash.ts";
import type { SessionContext } from "../tokens/session-context.ts";

/** How people sign in and how long that holds, in seconds. */
export type PeopleSettings = {
  /** A session that was not refreshed for this long has ended. */
  readonly idleSeconds: number;
  /** However busy, a session ends after this. */
  readonly sessionSeconds: number;
  /** So long after proving who they are people may do what asks for it. */
  readonly confirmationSeconds: number;
  /** How old a member and its credential are before they approve payouts or confirm members. */
  readonly approverMinAgeSeconds: number;
  /** Passwords that people think of are worth guessing, so each guess is made dear. */
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

/** What the verbs of this folder work with. */
export type PeopleContext = SessionContext & { readonly people: PeopleSettings };

/** Where a person's request came from. */
export type Whereabouts = {
  readonly ip: string;
  readonly userAgent: string;
  /** The device cookie that came with it, not yet checked. */
  readonly device: string | null;
};
