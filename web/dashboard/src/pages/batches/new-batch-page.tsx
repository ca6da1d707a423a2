import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PayoutBatchPreview } from "../../../../../client/src/api-types.gen.ts";
import { walletsQuery } from "../../api/lookups.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { t } from "../../language/t.ts";
import { StoppedPayouts } from "../operations/stopped-payouts.tsx";
import { BatchConfirmation } from "./batch-confirmation.tsx";
import { BatchUploadForm } from "./batch-upload-form.tsx";
import type { BatchValues } from "./batch-values.ts";

/** Uploads a file, shows what it would pay, and creates its payouts. */
export function NewBatchPage() {
  const wallets = useQuery(walletsQuery);
  // Kept while the preview is shown, so that a faulty file leads back to the filled-in form.
  const [values, setValues] = useState<BatchValues | null>(null);
  const [preview, setPreview] = useState<PayoutBatchPreview | null>(null);
  return (
    <>
      <PageHeader
        title={t("New bulk payout")}
        back={{ to: "/batches", label: t("Bulk payouts") }}
        description={t("Upload a CSV file. Nothing is sent before you have seen the preview.")}
      />
      <StoppedPayouts />
      {values === null || preview === null ? (
        <BatchUploadForm
          wallets={(wallets.data ?? []).filter(({ attributes }) =>
            [1, 2, 5].includes(attributes.type),
          )}
          initial={values}
          onPreview={(filled, answer) => {
            setValues(filled);
            setPreview(answer);
          }}
        />
      ) : (
        <BatchConfirmation
          values={values}
          preview={preview}
          onBack={() => {
            setPreview(null);
          }}
        />
      )}
    </>
  );
}
