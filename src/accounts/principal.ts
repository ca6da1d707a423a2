import type { Instant } from "../platform/kernel/clock.ts";

/** The roles of members, from the highest to the lowest. No role may approve its own payouts. */
export const roles = [
  "owner",
  "admin",
  "withdrawals",
  "withdrawals_with_approval",
  "read_only",
] as const;

export type Role = (typeof roles)[number];

/** `"all"`, or the granted wallets, each with whether it may be paid from. */
export type WalletRights = "all" | ReadonlyMap<string, { readonly mayPay: boolean }>;

/** The authenticated caller. Read from the database on each request that changes something, so that changes take effect at once. */
export type Principal = {
  readonly accountId: string;
  readonly memberId: string;
  readonly credentialId: string;
  readonly role: Role;
  /** False while the account's registration or KYC is incomplete. */
  readonly accountIsReady: boolean;
  readonly wallets: WalletRights;
  /** The address that the request came from. */
  readonly ip?: string;
  /** Absent: a program with a credential. Present: a person; callbacks of their objects are signed by the designated credential. */
  readonly person?: PersonSession;
};

/** A person's session in a browser. */
export type PersonSession = {
  readonly familyId: string;
  /** The id shown to the person. */
  readonly sessionId: string;
  /** When the person last confirmed their identity. */
  readonly confirmedAt: Instant;
  /** Someone else has seen the password, and the person must change it before anything else. */
  readonly hasInitialPassword: boolean;
};

/** Whether the caller may view this wallet and its objects. */
export function mayView(principal: Principal, walletId: string): boolean {
  return principal.wallets === "all" || principal.wallets.has(walletId);
}

/** Whether the caller's role may create or change anything. */
export function mayCreate(principal: Principal): boolean {
  return principal.role !== "read_only";
}

/** Whether the caller's wallet rights allow payouts from this wallet; the role is checked with `mayCreate`. */
export function mayPayFrom(principal: Principal, walletId: string): boolean {
  return principal.wallets === "all" || principal.wallets.get(walletId)?.mayPay === true;
}

/** Whether the role may administer the account's members, credentials and settings. */
export function mayAdminister(principal: Pick<Principal, "role">): boolean {
  return principal.role === "owner" || principal.role === "admin";
}

/** Whether the caller may administer what concerns all wallets of the account, such as the receivers of its events. */
export function mayAdministerAccount(principal: Pick<Principal, "role" | "wallets">): boolean {
  return mayAdminister(principal) && principal.wallets === "all";
}

/** The wallets to which lists are restricted; null without restriction. */
export function visibleWallets(principal: Principal): readonly string[] | null {
  return principal.wallets === "all" ? null : [...principal.wallets.keys()];
}
