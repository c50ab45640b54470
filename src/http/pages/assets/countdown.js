// Keeps the button for another code off for a while after one was sent. Without this script it is always on.
const button = document.getElementById('resend');
const shown = document.getElementById('countdown');
const until = Date.now() + 1000 * Number(button.dataset.wait);

const look = () => {
  const left = Math.ceil((until - Date.now()) / 1000);
  button.disabled = left > 0;
  shown.textContent = left > 0 ? `You can ask for another code in ${left} s.` : '';
  if (left > 0) setTimeout(look, 250);
  else if (Number(button.dataset.wait) > 0)
    document.getElementById('countdown-over').textContent = 'You can ask for another code now.';
};

look();
