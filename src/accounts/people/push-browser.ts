import type { Instant } from "../../platform/kernel/clock.ts";

/** A browser in which a member is notified, as shown to its person. */
export type PushSubscription = {
  readonly id: string;
  /** Such as `Firefox 140 on Linux`. */
  readonly browser: string;
  readonly endpoint: string;
  readonly createdAt: Instant;
  readonly sessionNumber: string;
};

/** What a browser gives: its address at its push service, and its keys (RFC 8291). */
export type NewSubscription = {
  readonly endpoint: string;
  readonly publicKey: Uint8Array;
  readonly auth: Uint8Array;
  /** Of the texts that the browser shows. */
  readonly language: string;
};
