import { Button, SimpleGrid, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { Beneficiary } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { codeOf, useCurrencies } from "../../api/lookups.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { DetailList } from "../../components/detail-list.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Section } from "../../components/section.tsx";
import { fieldOfPointer } from "../../components/split-errors.ts";
import { TimeText } from "../../components/time-text.tsx";
import { TravelRuleFields } from "../../components/travel-rule-fields.tsx";
import {
  emptyPerson,
  fieldOfPersonPointer,
  travelRuleOf,
} from "../../components/travel-rule-person.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { RecipientText } from "../payouts/recipient-text.tsx";

const back = { to: "/beneficiaries", label: t("Beneficiaries") };

/** One beneficiary: its address and recipient details. */
export function BeneficiaryPage() {
  const { beneficiaryId = "" } = useParams({ strict: false });
  const beneficiary = useQuery({
    queryKey: ["beneficiary", beneficiaryId],
    queryFn: async ({ signal }) =>
      (await api.get("/beneficiary/{id}/", { id: beneficiaryId, signal })).data,
  });
  return (
    <QueryView query={beneficiary} back={back}>
      {(data) => <View key={data.id} beneficiary={data} />}
    </QueryView>
  );
}

type Props = { readonly beneficiary: Beneficiary };

function View({ beneficiary }: Props) {
  const { attributes, relationships } = beneficiary;
  const currencies = useCurrencies();
  return (
    <>
      <PageHeader
        title={attributes.name}
        back={back}
        actions={<Actions beneficiary={beneficiary} />}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={t("Payment details")}>
          <DetailList
            details={[
              { label: t("Currency"), value: codeOf(currencies, relationships.currency.data.id) },
              {
                label: t("Address"),
                value: <CodeText value={attributes.address} label="address" />,
              },
              ...(attributes.tag === null ? [] : [{ label: t("Tag"), value: attributes.tag }]),
              {
                label: t("Allowlist"),
                value: attributes.may_be_paid
                  ? t("Payouts allowed")
                  : t("Not on the allowlist: payouts are refused"),
              },
              { label: t("Added"), value: <TimeText value={attributes.created_at} /> },
              { label: t("Last updated"), value: <TimeText value={attributes.updated_at} /> },
            ]}
          />
        </Section>
        <Section title={t("Recipient details")}>
          <RecipientText info={attributes.travel_rule_info} />
        </Section>
      </SimpleGrid>
    </>
  );
}

function Actions({ beneficiary }: Props) {
  const { mayCreate } = useRole();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isEditing, editing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const { id, attributes } = beneficiary;
  if (!mayCreate) return null;
  return (
    <>
      <Button variant="default" onClick={removing.open}>
        {t("Remove")}
      </Button>
      <Button variant="default" onClick={editing.open}>
        {t("Edit")}
      </Button>
      <ButtonLink to="/payouts/new" search={{ beneficiary: id }}>
        {t("New payout")}
      </ButtonLink>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={removing.close}
        title={t("Remove {name}?", { name: attributes.name })}
        action={t("Remove")}
        isDangerous
        act={() => api.delete("/beneficiary/{id}/", { id })}
        onDone={() => {
          void queries.invalidateQueries({ queryKey: ["list"] });
          void queries.invalidateQueries({ queryKey: ["lookup", "beneficiaries"] });
          void navigate({ to: "/beneficiaries" });
        }}
      >
        {t("Existing payouts to this beneficiary are not affected.")}
      </ConfirmDialog>
      {isEditing ? <EditDialog beneficiary={beneficiary} onClose={editing.close} /> : null}
    </>
  );
}

function EditDialog({ beneficiary, onClose }: Props & { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [replacesRecipient, recipient] = useDisclosure(false);
  const { id, attributes } = beneficiary;
  const { form, ...sending } = useApiForm({
    initialValues: { ...emptyPerson, name: attributes.name },
    fieldOf: (pointer) => fieldOfPersonPointer(pointer) ?? fieldOfPointer(pointer),
    send: ({ name, ...person }) =>
      api.patch("/beneficiary/{id}/", {
        id,
        attributes: {
          name: name.trim(),
          ...(replacesRecipient ? { travel_rule_info: travelRuleOf(person) } : {}),
        },
      }),
    onDone: () => {
      void queries.invalidateQueries();
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("Edit beneficiary")} size="lg">
      <DialogForm {...sending} action={t("Save")} onClose={onClose}>
        <TextInput label={t("Name")} required maxLength={64} {...form.getInputProps("name")} />
        {replacesRecipient ? (
          <TravelRuleFields form={form} />
        ) : (
          <Button variant="default" onClick={recipient.open} style={{ alignSelf: "start" }}>
            {t("Replace recipient details")}
          </Button>
        )}
      </DialogForm>
    </Dialog>
  );
}
