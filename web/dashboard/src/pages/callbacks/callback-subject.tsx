import { TextLink } from "../../components/text-link.tsx";

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
        Deposit {id}
      </TextLink>
    );
  if (type === "payout")
    return (
      <TextLink className="one-line" to="/payouts/$payoutId" params={{ payoutId: id }}>
        Payout {id}
      </TextLink>
    );
  return "Test";
}
