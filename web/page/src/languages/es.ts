import { type Messages, plural } from "./messages.ts";

export const es: Messages = {
  locale: "es",
  direction: "ltr",
  language: "Idioma",
  payment: "Pago",
  paymentTo: (shop) => `Pago a ${shop}`,
  sandbox: "Pago de prueba. No se mueve dinero real.",
  help: (email) => `¿Preguntas? Escriba a ${email}`,
  backToShop: (shop) => (shop === null ? "Volver a la tienda" : `Volver a ${shop}`),
  copy: "Copiar",
  copied: "Copiado",
  copyFailed: "No se pudo copiar. Seleccione el texto.",
  titles: {
    choose: "Elija cómo pagar",
    waiting: "Esperamos su pago",
    seen: "Pago detectado",
    partial: "Falta una parte",
    paid: "Pagado",
    unresolved: "Su pago necesita una decisión",
    expired: "El plazo de pago ha terminado",
    cancelled: "Este pago fue cancelado",
  },
  choose: {
    lead: "Elija la moneda y la red por la que envía su monedero.",
    leadOpen: "Elija la moneda y la red por la que envía su monedero. Usted decide cuánto.",
    search: "Buscar moneda o red",
    coins: "Monedas",
    nothingFound: "Ninguna moneda coincide con la búsqueda.",
    nothingOffered: "Ahora no se puede elegir ninguna moneda. Inténtelo más tarde.",
    found: (count) =>
      plural("es", count, {
        one: `${count} moneda encontrada`,
        other: `${count} monedas encontradas`,
      }),
    onNetwork: (network) => `en ${network}`,
    anyAmount: "cualquier importe",
    least: (amount) => `mínimo ${amount}`,
    unavailable: {
      below_minimum: (minimum) => `Demasiado poco para esta moneda: mínimo ${minimum}`,
      no_rate: () => "Sin precio en este momento",
      paused: () => "No disponible en este momento",
    },
    unchangeable: "Después no se puede cambiar la moneda.",
    submit: (name) => `Pagar con ${name}`,
    submitNone: "Primero elija una moneda",
    working: "Un momento…",
  },
  pay: {
    amount: "Importe a enviar",
    amountMissing: "Falta por enviar",
    amountOpen: "Envíe cualquier importe",
    address: "Dirección",
    tag: { tag: "Etiqueta de destino", memo: "Memo" },
    tagWarning: (label) =>
      `Indique también «${label}» en su monedero. Sin ese dato su pago se pierde.`,
    network: (name, network) => `${name} en ${network}`,
    networkWarning: (code, network) =>
      `Envíe solo ${code} y solo por la red ${network}. Cualquier otra cosa puede perderse.`,
    simulated: "Esta moneda es simulada: solo existe en esta prueba.",
    qr: (code) => `Código QR: dirección e importe para pagar con ${code}`,
    openWallet: "Abrir en el monedero",
    timeLeft: "Tiempo restante",
    timeAnnounced: (minutes) =>
      plural("es", minutes, {
        one: `Queda ${minutes} minuto para pagar`,
        other: `Quedan ${minutes} minutos para pagar`,
      }),
    exactly: "Envíe exactamente este importe; la comisión de red de su monedero se suma aparte.",
    feeHint: "La comisión de red de su monedero se suma aparte.",
    receivedOpen: (amount) => `${amount} recibidos hasta ahora`,
    alreadyPaid:
      "¿Ya lo envió? Deje la página abierta o vuelva más tarde: muestra su pago por sí sola.",
  },
  rate: {
    line: (code, price, isExact) => `1 ${code} ${isExact ? "=" : "≈"} ${price}`,
    fixedFor: "Precio fijo durante",
    notFixed: "Precio no fijo: su pago cuenta al precio del momento en que llega",
    expired: "El precio ha caducado.",
    updating: "Obteniendo el precio actual…",
    update: "Obtener el precio actual",
    updateFailed: "No se pudo renovar el precio.",
  },
  wallet: {
    pay: (wallet) =>
      wallet === null ? "Pagar con el monedero del navegador" : `Pagar con ${wallet}`,
    pending: "Confirme en su monedero…",
    sent: "Enviado por su monedero. Aparecerá aquí en cuanto la red lo muestre.",
    hint: "Su monedero se abre y le pregunta antes de enviar nada.",
    changed: "Lo que hay que pagar ha cambiado. No se envió nada; compruébelo de nuevo.",
    errors: {
      rejected: () => "Usted lo rechazó en el monedero. No se envió nada.",
      busy: () => "Su monedero ya le está preguntando algo. Ábralo y responda allí.",
      wrong_network: (network) => `Su monedero no cambió a ${network}. No se envió nada.`,
      unknown_network: (network) =>
        `Su monedero no conoce la red ${network}. Añádala allí primero. No se envió nada.`,
      no_account: () => "Su monedero no dio ninguna cuenta. No se envió nada.",
      funds: (network) =>
        `A su monedero le falta el importe o la comisión de red en ${network}. No se envió nada.`,
      failed: () =>
        "Su monedero informó de un error. Antes de repetir, mire en él si se envió algo.",
    },
  },
  seen: {
    lead: "La red muestra su pago. Será definitivo tras unas confirmaciones.",
    confirmations: (done, needed) =>
      `${done} de ${needed} ${plural("es", needed, { one: "confirmación", other: "confirmaciones" })}`,
    waitsForBlock: "A la espera del primer bloque",
    mayClose: "No tiene que hacer nada más y puede cerrar esta página.",
  },
  partial: {
    lead: (received, missing) =>
      `Han llegado ${received}, faltan ${missing}. Envíe el resto a la misma dirección.`,
  },
  paid: {
    lead: (shop) =>
      shop === null ? "Su pago ha llegado. ¡Gracias!" : `${shop} ha recibido su pago. ¡Gracias!`,
    receipt: "Recibo",
    price: "Precio",
    asked: "Solicitado",
    received: "Recibido",
    time: "Hora",
    network: "Red",
    transaction: (count) => plural("es", count, { one: "Transacción", other: "Transacciones" }),
    reference: "Número de pago",
    print: "Imprimir o guardar",
  },
  expired: {
    lead: "No llegó nada a tiempo y no se cobró nada.",
    doNotPay:
      "No envíe nada más a esta dirección. Si aún quiere comprar, empiece de nuevo en la tienda.",
  },
  cancelled: {
    lead: "La tienda lo ha cancelado. No se cobró nada.",
    doNotPay: "No envíe nada más a esta dirección.",
  },
  unresolved: {
    lead: {
      overpaid: "Llegó más de lo solicitado. Su dinero está a salvo.",
      late: "Su pago llegó fuera de plazo. Su dinero está a salvo.",
      second_payment: "Llegó un segundo pago por algo ya pagado. Su dinero está a salvo.",
      partial: "Solo llegó una parte dentro del plazo. Su dinero está a salvo.",
      cancelled: "Su pago llegó para algo que fue cancelado. Su dinero está a salvo.",
      other: "Su pago llegó y la tienda tiene que revisarlo. Su dinero está a salvo.",
    },
    next: "Qué pasa ahora",
    steps: [
      "La tienda ve su pago y ha sido avisada.",
      "Lo acepta o devuelve el dinero.",
      "Esta página muestra la decisión por sí sola.",
    ],
  },
  refund: {
    title: "¿Adónde se puede devolver el dinero?",
    lead: (code, network) =>
      `Si la tienda le devuelve dinero, usará esta dirección. Debe aceptar ${code} en ${network} y ser suya.`,
    label: (code) => `Su dirección de ${code}`,
    submit: "Dejar dirección",
    change: "Cambiar dirección",
    cancel: "Conservar la anterior",
    left: "Dejó esta dirección para una devolución:",
    empty: "Introduzca una dirección.",
    invalid: (network) => `No es una dirección válida en ${network}. Compruébela, por favor.`,
  },
  arrivals: {
    title: "Lo que ha llegado",
    states: {
      pending: "Detectado",
      confirmed: "Confirmado",
      waiting: "Espera a la tienda",
      wrong_asset: "Moneda equivocada",
      too_small: "Demasiado poco",
      held: "En revisión",
      reverted: "Revertido",
      returned: "Devuelto",
    },
    explained: {
      wrong_asset: (code) =>
        `Aquí no se pidió ${code}, por eso no cuenta. La tienda puede verlo: pida ayuda allí.`,
      too_small: () => "Es menos que el importe mínimo que se abona, por eso no cuenta.",
      held: () => "El pago se revisa antes de contar. No tiene que hacer nada.",
      reverted: () => "La red revirtió este pago. No cuenta si no vuelve a aparecer.",
      returned: () => "La tienda ha devuelto este dinero.",
    },
  },
  connection: {
    reconnecting: "Reconectando…",
    offline: "Está sin conexión. La página sigue por sí sola.",
  },
  failureTitles: {
    not_found: "Esta página de pago no existe",
    throttled: "Demasiadas peticiones",
    unavailable: "La página no se puede mostrar ahora",
  },
  failures: {
    not_found: "Compruebe el enlace. No envíe dinero basándose en esta página.",
    throttled:
      "Desde su red llegaron muchas peticiones. Esta página lo intenta de nuevo por sí misma en un minuto aproximadamente.",
    unavailable: "Inténtelo de nuevo en un momento. Los pagos ya enviados no se pierden.",
  },
  tryAgain: "Intentar de nuevo",
  refused: {
    throttled: "Fue demasiado seguido. Espere un momento e inténtelo de nuevo.",
    unavailable: "El servicio no responde ahora. Inténtelo de nuevo.",
    offline: "Sin conexión. Inténtelo cuando esté en línea.",
    refused: "Eso ya no es posible. La página muestra cómo está el pago.",
    gone: "Esta página de pago ya no existe.",
    no_rate: "Ahora no hay precio para esta moneda. Pruebe otra, o más tarde.",
  },
  selfUpdating: "Esta página se actualiza sola.",
};
