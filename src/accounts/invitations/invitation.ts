import {
  columnList,
  id,
  instant,
  json,
  orNull,
  type Row,
  recordReader,
  text,
} from "../../platform/db/columns.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Role, WalletRights } from "../principal.ts";

type StoredGrant = { readonly wallet: string; readonly may_pay: boolean };

const invitationFields = {
  id: id("id"),
  email: text("email"),
  name: text("name"),
  role: text<Role>("role"),
  grants: orNull(
    json<readonly StoredGrant[], readonly StoredGrant[]>(
      "wallet_grants",
      (stored) => stored,
      (grants) => grants,
    ),
  ),
  /** Sent the newest link. */
  invitedByMemberId: id("invited_by_member_id"),
  /** Chose the address; null: the member who sent the newest link. */
  firstInvitedByMemberId: orNull(id("first_invited_by_member_id")),
  createdAt: instant("created_at"),
  expiresAt: instant("expires_at"),
  acceptedAt: orNull(instant("accepted_at")),
  memberId: orNull(id("member_id")),
};

export const invitationColumns = columnList(invitationFields);

const readFields = recordReader(invitationFields);

/** A person who was invited to become a member. */
export type Invitation = Omit<ReturnType<typeof readFields>, "grants"> & {
  readonly wallets: WalletRights;
};

export function invitationFromRow(row: Row): Invitation {
  const { grants, ...fields } = readFields(row);
  const wallets: WalletRights =
    grants === null
      ? "all"
      : new Map(grants.map(({ wallet, may_pay }) => [wallet, { mayPay: may_pay }]));
  return { ...fields, wallets };
}

/** The grants as they are stored; null for all wallets. */
export function storedGrants(wallets: WalletRights): readonly StoredGrant[] | null {
  return wallets === "all"
    ? null
    : [...wallets].map(([wallet, { mayPay }]) => ({ wallet, may_pay: mayPay }));
}

export type InvitationState = "pending" | "accepted" | "expired";

/** What became of an invitation. Withdrawn ones are deleted. */
export function stateOfInvitation(
  { acceptedAt, expiresAt }: Pick<Invitation, "acceptedAt" | "expiresAt">,
  now: Instant,
): InvitationState {
  if (acceptedAt !== null) return "accepted";
  return expiresAt <= now ? "expired" : "pending";
}
