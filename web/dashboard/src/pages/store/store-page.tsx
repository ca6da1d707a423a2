import { Alert } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { t } from "../../language/t.ts";
import { StoreForm } from "./store-form.tsx";

const key = ["store-settings"];

/** What payers see of the store, and the defaults of its deposits. */
export function StorePage() {
  return (
    <AdministratorsOnly title={t("Store")} ofAllWallets>
      <StoreSettings />
    </AdministratorsOnly>
  );
}

function StoreSettings() {
  const queries = useQueryClient();
  const settings = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.get("/store-settings/", { signal })).data,
    // A refetch would replace what is being typed.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryView query={settings} back={{ to: "/", label: t("Store") }}>
      {(data) => (
        <>
          <PageHeader
            title={t("Store")}
            description={t(
              "How your payment pages look, what they show to payers, and the defaults of your deposits.",
            )}
          />
          {data.attributes.shop_name === null ? (
            <Alert color="amber" title={t("Payers don't see who you are")} mb="lg" maw={1120}>
              {t("Without a store name, your payment pages are titled “Payment”.")}
            </Alert>
          ) : null}
          <StoreForm
            key={JSON.stringify(data.attributes)}
            settings={data.attributes}
            onSaved={(saved) => {
              queries.setQueryData(key, saved);
            }}
          />
        </>
      )}
    </QueryView>
  );
}
