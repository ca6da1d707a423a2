import type { Instant } from "../../platform/kernel/clock.ts";

/** A credential of a program, as Owners and Admins see it. */
export type ProgramCredential = {
  readonly id: string;
  readonly memberId: string;
  readonly memberName: string;
  readonly label: string;
  readonly login: string;
  /** Empty: any address. */
  readonly allowedNetworks: readonly string[];
  readonly isDesignated: boolean;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
  /** When it last opened a session, as far as that is still known. */
  readonly lastUsedAt: Instant | null;
};
