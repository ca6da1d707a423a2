import type { Instant } from "../../platform/kernel/clock.ts";
import { reject } from "../../platform/kernel/rejection.ts";

export const credentialLabelMax = 64;

/** A login with which a program acts as a member. */
export type Credential = {
  readonly id: string;
  readonly memberId: string;
  readonly memberName: string;
  readonly label: string;
  readonly login: string;
  /** Empty: any address. */
  readonly allowedNetworks: readonly string[];
  /** Its key signs callbacks of objects that no program created. */
  readonly isDesignated: boolean;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
  /** When it last started a session; null: never, or more than about a day ago. */
  readonly lastUsedAt: Instant | null;
};

/** Rejects `invalidValue` for a label of more than 64 characters. */
export function assertLabel(label: string): void {
  if (label.length > credentialLabelMax)
    reject("invalidValue", `A label has at most ${credentialLabelMax} characters.`, {
      pointer: "/data/attributes/label",
    });
}
