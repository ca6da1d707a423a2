import { type Role, useMe } from "../api/me.ts";

/** What a role permits. It only decides what the dashboard offers: the service checks every request. */
export type Rights = {
  readonly role: Role | null;
  /** Create deposits, beneficiaries and callbacks: every role except Read only. */
  readonly mayCreate: boolean;
  /** Create payouts; `needsApproval` says whether they require another member's approval. */
  readonly mayPay: boolean;
  readonly needsApproval: boolean;
  /** Approve and cancel other members' payouts. */
  readonly mayApprove: boolean;
  /** Manage wallets and members: Owner and Admin. */
  readonly mayAdminister: boolean;
  /** Manage what concerns all wallets of the account: Owner and Admin with access to all. */
  readonly mayAdministerAccount: boolean;
  /** Confirm members and run the simulator: Owner only. */
  readonly isOwner: boolean;
};

/** The rights of the signed-in member; none until they are loaded. */
export function useRole(): Rights {
  const me = useMe();
  return rightsOf(me?.role ?? null, me?.all_wallets === true);
}

function rightsOf(role: Role | null, seesAllWallets: boolean): Rights {
  const mayCreate = role !== null && role !== "read_only";
  const mayAdminister = role === "owner" || role === "admin";
  return {
    role,
    mayCreate,
    mayPay: mayCreate,
    needsApproval: role === "withdrawals_with_approval",
    mayApprove: mayAdminister || role === "withdrawals",
    mayAdminister,
    mayAdministerAccount: mayAdminister && seesAllWallets,
    isOwner: role === "owner",
  };
}
