import { type Messages, plural } from "./messages.ts";

export const es: Messages = {
  locale: "es",
  direction: "ltr",
  language: "Idioma",
  payment: "Pago",
  paymentTo: (store) => `Pago a ${store}`,
  sandbox: "Pago de prueba. No se transfiere dinero real.",
  orderNumber: "Pedido",
  explorer: "Ver en el explorador",
  help: (email) => `¿Preguntas? Escriba a ${email}`,
  backToStore: (store) => (store === null ? "Volver a la tienda" : `Volver a ${store}`),
  copy: "Copiar",
  copied: "Copiado",
  copyFailed: "No se pudo copiar. Seleccione y copie el texto.",
  titles: {
    choose: "Elija cómo pagar",
    waiting: "Esperando el pago",
    seen: "Pago detectado",
    partial: "Pagado parcialmente",
    paid: "Pagado",
    unresolved: "Su pago está en revisión",
    expired: "Este pago ha caducado",
    cancelled: "Este pago se ha cancelado",
  },
  choose: {
    lead: "Elija una criptomoneda y una red para pagar.",
    leadOpen: "Elija una criptomoneda y una red para pagar. Usted decide el importe.",
    search: "Buscar criptomoneda o red",
    currencies: "Criptomonedas",
    nothingFound: "Ninguna criptomoneda coincide con la búsqueda.",
    nothingOffered: "No hay criptomonedas disponibles en este momento. Inténtelo más tarde.",
    found: (count) =>
      plural("es", count, {
        one: `${count} criptomoneda encontrada`,
        other: `${count} criptomonedas encontradas`,
      }),
    onNetwork: (network) => `en ${network}`,
    anyAmount: "cualquier importe",
    minimum: (amount) => `mínimo ${amount}`,
    unavailable: {
      below_minimum: (minimum) => `Importe inferior al mínimo de ${minimum}`,
      no_rate: () => "Sin tipo de cambio en este momento",
      paused: () => "No disponible en este momento",
    },
    irrevocable: "Después no podrá cambiar la criptomoneda.",
    submit: (name) => `Pagar con ${name}`,
    submitNone: "Elija una criptomoneda",
    working: "Espere un momento…",
  },
  pay: {
    amount: "Importe que debe enviar",
    amountRemaining: "Importe pendiente",
    amountOpen: "Envíe cualquier importe",
    address: "Dirección",
    tag: { destination_tag: "Etiqueta de destino", memo: "Memo", comment: "Comentario" },
    tagWarning: (label) =>
      `Introduzca también «${label}» en su monedero. Sin ese dato, su pago se perderá.`,
    account: "Cuenta",
    combined: (label) => `O una dirección que incluye «${label}», si su monedero la acepta`,
    accountHint: (label) =>
      `La dirección de arriba ya contiene «${label}». Si su monedero no la acepta, envíe a esta cuenta e introduzca «${label}». Sin ese dato, su pago se perderá.`,
    network: (name, network) => `${name} en ${network}`,
    networkWarning: (code, network) =>
      `Envíe solo ${code} y solo por la red ${network}. Todo lo demás puede perderse.`,
    simulated: "Moneda de prueba, sin valor real.",
    qr: (code) => `Código QR con la dirección y el importe para pagar con ${code}`,
    openWallet: "Abrir en la aplicación del monedero",
    expiresIn: "Caduca en",
    timeAnnounced: (minutes) =>
      plural("es", minutes, {
        one: `Queda ${minutes} minuto para pagar`,
        other: `Quedan ${minutes} minutos para pagar`,
      }),
    exactly: "Envíe exactamente este importe. Su monedero añade la comisión de red.",
    feeHint: "Su monedero añade la comisión de red.",
    preparing: "Se está preparando la dirección de pago. Aparecerá aquí en unos segundos.",
    receivedOpen: (amount) => `Recibido hasta ahora: ${amount}`,
    alreadyPaid: "¿Ya ha pagado? Esta página se actualiza automáticamente.",
  },
  rate: {
    line: (code, price, isExact) => `1 ${code} ${isExact ? "=" : "≈"} ${price}`,
    lockedUntil: (time) => `Tipo de cambio fijo hasta las ${time}`,
    notLocked: "El tipo de cambio no está fijado. Se aplica el del momento en que llegue su pago.",
    expired: "El tipo de cambio ha caducado.",
    updating: "Actualizando el tipo de cambio…",
    update: "Actualizar el tipo de cambio",
    updateFailed: "No se pudo actualizar.",
  },
  wallet: {
    pay: (wallet) =>
      wallet === null ? "Pagar con el monedero del navegador" : `Pagar con ${wallet}`,
    pending: "Confirme en su monedero…",
    sent: "Enviado. El pago aparecerá aquí en cuanto la red lo detecte.",
    hint: "Su monedero le pide confirmación antes de enviar nada.",
    changed: "El importe ha cambiado. No se ha enviado nada. Revíselo e inténtelo de nuevo.",
    errors: {
      rejected: () => "Ha rechazado la solicitud en su monedero. No se ha enviado nada.",
      busy: () => "Su monedero tiene una solicitud pendiente. Ábralo y respóndala.",
      wrong_network: (network) => `Su monedero no cambió a ${network}. No se ha enviado nada.`,
      unknown_network: (network) =>
        `Su monedero aún no admite la red ${network}. Añádala primero en el monedero. No se ha enviado nada.`,
      no_account: () => "Su monedero no compartió ninguna cuenta. No se ha enviado nada.",
      funds: (network) =>
        `Su monedero no tiene fondos suficientes para el importe o la comisión de red en ${network}. No se ha enviado nada.`,
      failed: () =>
        "Su monedero informó de un error. Antes de volver a intentarlo, compruebe en el monedero si el pago se envió.",
    },
  },
  seen: {
    confirmedTitle: "Pago recibido",
    confirmedLead: "Su pago tiene todas las confirmaciones y se está abonando.",
    lead: "La red ha detectado su pago. Será definitivo tras unas confirmaciones.",
    confirmations: (done, needed) =>
      `${done} de ${needed} ${plural("es", needed, { one: "confirmación", other: "confirmaciones" })}`,
    waitsForBlock: "Esperando la primera confirmación",
    mayClose: "Ha terminado. Puede cerrar esta página.",
  },
  partial: {
    lead: (received, missing) =>
      `Recibido: ${received}. Pendiente: ${missing}. Envíe el resto a la misma dirección.`,
  },
  paid: {
    lead: (store) =>
      store === null
        ? "Su pago se ha recibido. ¡Gracias!"
        : `${store} ha recibido su pago. ¡Gracias!`,
    receipt: "Recibo",
    store: "Tienda",
    description: "Descripción",
    price: "Precio",
    requested: "Solicitado",
    received: "Recibido",
    refunded: "Reembolsado",
    time: "Fecha y hora",
    network: "Red",
    transaction: (count) => plural("es", count, { one: "Transacción", other: "Transacciones" }),
    reference: "ID del pago",
    print: "Imprimir o guardar",
  },
  expired: {
    lead: "No se recibió ningún pago a tiempo. No se le ha cobrado nada.",
    doNotPay:
      "No envíe fondos a la dirección que recibió. Para intentarlo de nuevo, vuelva a la tienda.",
  },
  cancelled: {
    lead: "La tienda ha cancelado este pago. No se le ha cobrado nada.",
    doNotPay: "No envíe fondos a la dirección que recibió.",
  },
  unresolved: {
    lead: {
      overpaid: (excess) =>
        `Ha pagado ${excess === null ? "más del importe debido" : `${excess} de más`}. Sus fondos están a salvo.`,
      late: () => "Su pago llegó fuera de plazo. Sus fondos están a salvo.",
      second_payment: () =>
        "Ha enviado un segundo pago cuando el importe debido ya estaba pagado. Sus fondos están a salvo.",
      partial: () =>
        "Dentro del plazo solo se ha recibido una parte del importe. Sus fondos están a salvo.",
      cancelled: () =>
        "La tienda canceló este pago antes de que llegaran sus fondos. Sus fondos están a salvo.",
      other: () => "La tienda tiene que revisar su pago. Sus fondos están a salvo.",
    },
    next: "Qué ocurre ahora",
    steps: [
      "La tienda revisa su pago.",
      "La tienda acepta el pago o lo reembolsa.",
      "Esta página muestra el resultado automáticamente.",
    ],
  },
  refund: {
    title: "Dirección de reembolso",
    lead: (code, network) =>
      `Si la tienda le reembolsa, el dinero se enviará aquí. Use una dirección de ${code} (red ${network}) que usted controle.`,
    label: (code) => `Su dirección de ${code}`,
    submit: "Guardar dirección de reembolso",
    final: "Compruebe la dirección: una vez guardada, no se puede cambiar.",
    saved: "Su dirección de reembolso:",
    fixed: "Aquí no se puede cambiar. Si es incorrecta, póngase en contacto con la tienda.",
    empty: "Introduzca una dirección.",
    invalid: (network) => `Introduzca una dirección válida de ${network}.`,
    tagHint: (label) =>
      `${label}: la mayoría de las plataformas de intercambio lo exigen. Sin ese dato, el reembolso puede perderse. Déjelo vacío solo si su monedero no muestra ninguno.`,
    invalidTag: (label) => `Compruebe «${label}»: no corresponde a esta dirección.`,
  },
  arrivals: {
    title: "Pagos recibidos",
    states: {
      pending: "Pendiente",
      confirmed: "Confirmado",
      waiting: "En revisión",
      wrong_asset: "Moneda incorrecta",
      too_small: "Inferior al mínimo",
      held: "En revisión",
      reverted: "Revertido",
      returned: "Reembolsado",
    },
    explained: {
      wrong_asset: (code) =>
        `La tienda no solicitó ${code}, por lo que este pago no se ha abonado. Póngase en contacto con la tienda.`,
      too_small: () => "Este pago es inferior al mínimo y no se ha abonado.",
      held: () => "Este pago se está revisando antes de abonarse. No tiene que hacer nada.",
      reverted: () => "La red revirtió este pago. Solo se abonará si se confirma de nuevo.",
      returned: () => "La tienda ha reembolsado este pago.",
    },
  },
  connection: {
    reconnecting: "Reconectando…",
    offline: "No tiene conexión. La página se actualizará cuando la recupere.",
  },
  failureTitles: {
    not_found: "Esta página de pago no existe",
    throttled: "Demasiadas solicitudes",
    unavailable: "Página de pago no disponible",
  },
  failures: {
    not_found: "Compruebe el enlace. No envíe ningún pago.",
    throttled:
      "Su red ha enviado demasiadas solicitudes. Esta página lo reintenta automáticamente en aproximadamente un minuto.",
    unavailable: "Inténtelo de nuevo en unos momentos. Los pagos ya enviados no se pierden.",
  },
  tryAgain: "Intentar de nuevo",
  refused: {
    throttled: "Demasiados intentos. Espere un momento e inténtelo de nuevo.",
    unavailable: "El servicio no responde. Inténtelo de nuevo.",
    offline: "No tiene conexión. Inténtelo de nuevo cuando la recupere.",
    choice: "Este pago ha cambiado, por lo que su elección no se ha guardado.",
    address: "Este pago ha cambiado, por lo que su dirección no se ha guardado.",
    gone: "Esta página de pago ya no existe.",
    no_rate:
      "No hay tipo de cambio disponible para esta criptomoneda. Elija otra o inténtelo más tarde.",
  },
  selfUpdating: "Actualización en directo activa.",
};
