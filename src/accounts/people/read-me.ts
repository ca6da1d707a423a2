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

/** What the caller is to the account. */
export type Me = {
  readonly memberId: string;
  readonly name: string;
  /** The member's own, also while a password that was handed out keeps it from acting by it. */
  readonly role: Role;
  readonly accountName: string;
  /** None while such a password keeps everything from being shown. */
  readonly wallets: WalletRights;
  /** Null: none of their own yet. */
  readonly login: string | null;
  readonly mustChangePassword: boolean;
  /** May see how the whole deployment stands, and stop payouts of everybody. */
  readonly isOperator: boolean;
  readonly factors: Factors;
  /** Null for a program. */
  readonly sessionId: string | null;
  readonly confirmedUntil: Instant | null;
};

/** Who is asking: the member, its account and how it signs in. */
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
  const { name, role, wallets } = present(member, "the member who asks");
  const mustChangePassword = person !== undefined && login?.isInitial === true;
  return {
    memberId,
    name,
    role,
    factors,
    isOperator: operates,
    accountName: present(accountName, "the account of the member who asks"),
    login: login?.login ?? null,
    // Whoever has just changed the password asked without any rights, and has them from now on.
    wallets: person === undefined || mustChangePassword ? principal.wallets : wallets,
    mustChangePassword,
    sessionId: person?.sessionId ?? null,
    confirmedUntil: person === undefined ? null : confirmedUntil(context, person),
  };
}
