import { type Executor, statement } from "../../platform/db/database.ts";

type Row = { has_totp: boolean; passkeys: string; recovery_codes_left: string };

const select = statement<Row>(
  "factor.summary",
  `select exists (select from totp t where t.account_id = $1 and t.member_id = $2 and t.confirmed_at is not null)
            as has_totp,
          (select count(*) from passkey k where k.account_id = $1 and k.member_id = $2) as passkeys,
          (select count(*) from recovery_code r where r.account_id = $1 and r.member_id = $2 and r.used_at is null)
            as recovery_codes_left`,
);

/** A member's second factors. */
export type Factors = {
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
};

/** Reads a member's second factors. */
export async function readFactors(
  db: Executor,
  accountId: string,
  memberId: string,
): Promise<Factors> {
  const [row] = await db.query(select, [accountId, memberId]);
  return {
    hasTotp: row?.has_totp ?? false,
    passkeys: Number(row?.passkeys ?? 0),
    recoveryCodesLeft: Number(row?.recovery_codes_left ?? 0),
  };
}

/** Whether signing in requires a second factor. Recovery codes replace a factor and do not count as one. */
export function hasFactor(factors: Factors): boolean {
  return factors.hasTotp || factors.passkeys > 0;
}
