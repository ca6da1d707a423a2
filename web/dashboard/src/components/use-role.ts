import { type Role, useMe } from "../api/me.ts";

/** What somebody may do, as far as their role says: the service decides again at each request. */
export type Rights = {
  readonly role: Role | null;
  /** Creates deposits and the like: every role but Read only. */
  readonly mayCreate: boolean;
  /** Asks for payouts; whether they wait for somebody else's approval is `needsApproval`. */
  readonly mayPay: boolean;
  readonly needsApproval: boolean;
  /** Approves and cancels what others asked for. */
  readonly mayApprove: boolean;
  /** Wallets, members, settings: Owner and Admin. */
  readonly mayAdminister: boolean;
  /** Kill switches and what else only the Owner may. */
  readonly isOwner: boolean;
};

/** The rights of whoever is signed in, to hide what they could not use. Nothing is allowed until they are known. */
export function useRole(): Rights {
  const role = useMe()?.role ?? null;
  return rightsOf(role);
}

function rightsOf(role: Role | null): Rights {
  const mayCreate = role !== null && role !== "read_only";
  const mayAdminister = role === "owner" || role === "admin";
  return {
    role,
    mayCreate,
    mayPay: mayCreate,
    needsApproval: role === "withdrawals_with_approval",
    mayApprove: mayAdminister || role === "withdrawals",
    mayAdminister,
    isOwner: role === "owner",
  };
}
