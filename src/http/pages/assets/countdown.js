// Disables the button for another code for a while after one was sent. Without this script it stays enabled.
const button = document.getElementById('resend');
const countdown = document.getElementById('countdown');
const until = Date.now() + 1000 * Number(button.dataset.wait);

const update = () => {
  const left = Math.ceil((until - Date.now()) / 1000);
  button.disabled = left > 0;
  countdown.textContent = left > 0 ? `You can request another code in ${left} s.` : '';
  if (left > 0) setTimeout(update, 250);
  else if (Number(button.dataset.wait) > 0)
    document.getElementById('countdown-over').textContent = 'You can request another code now.';
};

update();
