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

/** Which second factors a member has. */
export type Factors = {
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
};

/** Which second factors the member has now. */
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

/** Whether a password alone does not sign the member in. Recovery codes stand in for a factor and are none. */
export function hasFactor(factors: Factors): boolean {
  return factors.hasTotp || factors.passkeys > 0;
}
