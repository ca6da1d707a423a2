import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { readAccountName } from "../account.store.ts";
import { readMember } from "../members/member.store.ts";
import { isOperator } from "../operator.ts";
import type { Principal, Role, WalletRights } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { type Factors, readFactors } from "./factor.store.ts";
import { readLoginOfMember } from "./person-login.store.ts";
import { confirmedUntil } from "./require-person.ts";

/** The caller as shown to itself. */
export type Me = {
  readonly memberId: string;
  readonly name: string;
  /** The member's role, even while an initial password prevents the member from using it. */
  readonly role: Role;
  readonly accountName: string;
  /** Empty while an initial password must be changed. */
  readonly wallets: WalletRights;
  /** Null: only programs act as this member. */
  readonly login: string | null;
  readonly mustChangePassword: boolean;
  /** May view the state of the whole deployment and stop all payouts. */
  readonly isOperator: boolean;
  readonly factors: Factors;
  /** Null for a program. */
  readonly sessionId: string | null;
  readonly confirmedUntil: Instant | null;
};

/** The calling member, its account and its second factors. */
export async function readMe(
  context: Pick<PeopleContext, "db" | "people">,
  principal: Principal,
): Promise<Me> {
  const { accountId, memberId, person } = principal;
  const [member, accountName, login, factors, operates] = await Promise.all([
    readMember(context.db, accountId, memberId),
    readAccountName(context.db, accountId),
    readLoginOfMember(context.db, accountId, memberId),
    readFactors(context.db, accountId, memberId),
    isOperator(context.db, principal),
  ]);
  const { name, role, wallets } = present(member, "the calling member");
  const mustChangePassword = person !== undefined && login?.isInitial === true;
  return {
    memberId,
    name,
    role,
    factors,
    isOperator: operates,
    accountName: present(accountName, "the calling member's account"),
    login: login?.login ?? null,
    // A member who just changed an initial password was authenticated without rights, and has them from now on.
    wallets: person === undefined || mustChangePassword ? principal.wallets : wallets,
    mustChangePassword,
    sessionId: person?.sessionId ?? null,
    confirmedUntil: person === undefined ? null : confirmedUntil(context, person),
  };
}
