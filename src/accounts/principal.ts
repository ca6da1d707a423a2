import type { Instant } from "../platform/kernel/clock.ts";

/** What a member of an account may do. An approver is never the creator, whatever the role. */
export const roles = [
  "owner",
  "admin",
  "withdrawals",
  "withdrawals_with_approval",
  "read_only",
] as const;

export type Role = (typeof roles)[number];

/** `"all"`, or the wallets granted, each with whether payouts from it are granted too. */
export type WalletRights = "all" | ReadonlyMap<string, { readonly mayPay: boolean }>;

/** Who is asking: read from the database on each request, so that a change takes effect at once. */
export type Principal = {
  readonly accountId: string;
  readonly memberId: string;
  readonly credentialId: string;
  readonly role: Role;
  /** False while the account's registration or KYC is incomplete. */
  readonly accountIsReady: boolean;
  readonly wallets: WalletRights;
  /** Where the request came from. */
  readonly ip?: string;
  /** Absent: a program asks, with a credential. Present: a person, whose objects the account's designated credential signs for. */
  readonly person?: PersonSession;
};

/** A session that a person opened, in a browser. */
export type PersonSession = {
  readonly familyId: string;
  /** The id that its person knows it by. */
  readonly sessionId: string;
  /** When the person last proved who they are. */
  readonly confirmedAt: Instant;
};

/** Whether the caller sees this wallet and what belongs to it. */
export function mayView(principal: Principal, walletId: string): boolean {
  return principal.wallets === "all" || principal.wallets.has(walletId);
}

/** Whether the caller's role changes anything at all. */
export function mayCreate(principal: Principal): boolean {
  return principal.role !== "read_only";
}

/** Whether the member may pay from this wallet; whether it may create anything at all is `mayCreate`. */
export function mayPayFrom(principal: Principal, walletId: string): boolean {
  return principal.wallets === "all" || principal.wallets.get(walletId)?.mayPay === true;
}

/** Whether the role looks after the account's members, credentials and settings. */
export function mayAdminister(principal: Pick<Principal, "role">): boolean {
  return principal.role === "owner" || principal.role === "admin";
}

/** The wallets to which a list is narrowed; null when it need not be. */
export function visibleWallets(principal: Principal): readonly string[] | null {
  return principal.wallets === "all" ? null : [...principal.wallets.keys()];
}
