import { TextLink } from "../../components/text-link.tsx";
import { t } from "../../language/t.ts";

/** Links to the deposit or payout that a callback is about. */
export function CallbackSubject({
  attributes,
}: {
  readonly attributes: { readonly object_type: string; readonly object_id: string };
}) {
  const { object_type: type, object_id: id } = attributes;
  if (type === "deposit")
    return (
      <TextLink className="one-line" to="/deposits/$depositId" params={{ depositId: id }}>
        {t("Deposit {id}", { id })}
      </TextLink>
    );
  if (type === "payout")
    return (
      <TextLink className="one-line" to="/payouts/$payoutId" params={{ payoutId: id }}>
        {t("Payout {id}", { id })}
      </TextLink>
    );
  return t("Test");
}
